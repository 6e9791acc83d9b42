/**
 * Names that are, or are not, the same person or organization, by what makes the pair hard. Public figures and organizations of
 * public lists, or invented. `kind|name|name`, kind P or O.
 */
export const SAME: Record<string, string> = {
  'the same name, written otherwise': `
    P|José Martínez Ibáñez|JOSE MARTINEZ IBANEZ
    P|Osama bin Laden|BIN LADEN, Osama
    P|Nicolás Maduro Moros|MADURO MOROS, Nicolas
    P|Sean O'Neill|Sean Oneill
    P|Jean-Marie Le Pen|Jean Marie Le Pen
    P|Łukasz Wójcik|Lukasz Wojcik
    P|Björn Müller-Straße|Bjorn Muller Strasse
    P|ＭＡＲＩＡ ＬＯＰＥＺ ＧＩＲＡＬＤＯ|Maria Lopez Giraldo
    P|Đặng Thị Hoàng Yến|Dang Thi Hoang Yen`,
  'typing errors': `
    P|Joaquin Guzman Loera|Joaquin Guzmna Loera
    P|Ayman al-Zawahiri|Ayman al-Zawahri
    P|Muammar Qaddafi|Muamar Qaddafi
    P|Dairo Antonio Usuga David|Diaro Antonio Usuga David
    P|Slobodan Milosevic|Slobodan Milosevich
    P|Robert Mugabe|Robret Mugabe
    P|Aleksandr Lukashenko|Aleksandr Lukshenko
    P|Ramzan Kadyrov|Ramzan Kadirov
    P|Viktor Bout|Victor Boutt
    P|Alimzhan Tokhtakhunov|Alimjan Tokhtakhounov
    O|Gazprombank|Gazprombnak
    O|Rosoboronexport|Rosoboroneksport
    O|Mahan Air|Mahann Air`,
  'missing and extra names': `
    P|Ayman al-Zawahiri|Ayman Muhammad Rabi al-Zawahiri
    P|Vladimir Putin|Vladimir Vladimirovich Putin
    P|Igor Sechin|Igor Ivanovich Sechin
    P|Gustavo Aristizabal Echeverri|Gustavo Aristizabal
    P|Gilberto Rodriguez Orejuela|Gilberto Jose Rodriguez Orejuela
    P|Diosdado Cabello|Diosdado Cabello Rondon
    P|Saddam Hussein|Saddam Hussein al-Tikriti
    P|Rosalba Chindoy|Rosalba Maria Chindoy Jacanamijoy
    P|Charles Taylor Ghankay|Charles Ghankay Taylor
    P|Sergey Lavrov|Sergey Viktorovich Lavrov
    P|Bashar al-Assad|Bashar Hafez al-Assad`,
  'Spanish double surnames': `
    P|Chiquillo Tunjano Arnulfo|Arnulfo Chiquillo Tunjano
    P|Maria Fernanda de la Hoz Iguaran|Maria Fernanda Hoz Iguaran
    P|Carmen Iguaran viuda de Ballesteros|Carmen Iguaran de Ballesteros
    P|Carmen Iguaran vda de Ballesteros|Carmen Iguaran Ballesteros
    P|Ovidio Guzman Lopez|Ovidio Guzman
    P|Ismael Zambada Garcia|Ismael Zambada
    P|Miguel Orejuela Rodriguez|Miguel Rodriguez Orejuela
    P|Luz y Paz Bocanegra|Luz Paz Bocanegra
    P|Juana de Arcos del Rosal|Juana Arcos Rosal
    P|Ma. Dolores Echavarria Tunjano|Maria Dolores Echavarria Tunjano`,
  initials: `
    P|J.-C. Juncker|Jean-Claude Juncker
    P|JC Juncker|Jean Claude Juncker
    P|George W. Bush|George Walker Bush
    P|J. R. R. Tolkien|John Ronald Reuel Tolkien
    P|Donald J Trump|Donald Trump
    P|V. V. Zhirinovsky|Vladimir Volfovich Zhirinovsky
    P|Robert G. Mugabe|Robert Mugabe
    P|A. Lukashenko|Aleksandr Lukashenko
    P|Nicolas S. Maduro M.|Nicolas Maduro`,
  'joined and split words': `
    P|Abdul Rahman Yasin|Abdulrahman Yasin
    P|Ayman Alzawahiri|Ayman al Zawahiri
    P|Kim Jong Un|Kim Jongun
    P|Mary Ann Lockhart|Maryann Lockhart
    P|Abd al-Aziz Haqqani|Abdalaziz Haqqani
    P|De La Cruz Ipuana|Delacruz Ipuana
    P|Nur al-Din Mahsud|Nuraldin Mahsud
    O|Deutsche Bank|DeutscheBank AG
    O|Aero Caribbean|Aerocaribbean
    O|Petro China Company|PetroChina`,
  Arabic: `
    P|Muhammad Husni Mubarak|Mohamed Hosni Mubarak
    P|Mu'ammar al-Qadhafi|Moammar Gaddafi
    P|محمد حسني مبارك|Muhammad Hosni Mubarak
    P|أيمن الظواهري|Ayman al-Zawahiri
    P|Usama bin Ladin|Osama bin Laden
    P|Khalid Shaykh Muhammad|Khaled Sheikh Mohammed
    P|Timur Khan|Timur Han
    P|Abu Bakr al-Baghdadi|Abou Bakr Al Baghdadi
    P|Yusuf al-Qaradawi|Youssef Qaradawi
    P|Jalaluddin Haqqani|Jalaludin Haqani
    P|Hasan Nasrallah|Hassan Nasralla
    P|Ismail Haniyeh|Ismael Haniya
    P|Sulayman Abu Ghayth|Suleiman Abu Ghaith
    P|Abdallah Azzam|Abdullah Azam`,
  Cyrillic: `
    P|Владимир Путин|Vladimir Putin
    P|Юрий Ковальчук|Yuri Kovalchuk
    P|Yevgeny Prigozhin|Evgeniy Prigozhin
    P|Евгений Пригожин|Yevgeniy Prigozhin
    P|Sergei Shoigu|Sergey Shoygu
    P|Dmitri Medvedev|Dmitry Medvedev
    P|Andrey Kostin|Andrei Kostin
    P|Arkady Rotenberg|Arkadiy Rotenberg
    P|Volodymyr Saldo|Vladimir Saldo
    P|Mikhail Fridman|Mikhail Friedman
    P|Vyacheslav Volodin|Viacheslav Volodin
    P|Gennady Timchenko|Gennadiy Tymchenko
    P|Nikolai Tokarev|Nikolay Tokarev
    P|Pyotr Aven|Petr Aven`,
  'Chinese and Korean': `
    P|Mao Zedong|Mao Tse-tung
    P|Zhou Enlai|Chou En-lai
    P|Deng Xiaoping|Teng Hsiao-ping
    P|毛泽东|毛泽东
    P|毛泽东|Mao Zedong
    P|习近平|Xi Jinping
    P|Xi Jinping|Xi Jin Ping
    P|Jinping Xi|Xi Jinping
    P|Kim Jong-il|Kim Jong Il
    O|中国石油天然气股份有限公司|中国石油天然气`,
  'letters replaced by digits': `
    P|0sama bin Lad3n|Osama bin Laden
    P|Nic0las Madur0 Moros|Nicolas Maduro Moros
    P|Ay1nan Zawahiri|Ayinan Zawahiri
    P|V1kt0r Bout|Viktor Bout
    O|R0sneft|Rosneft
    P|$addam Hu$$ein|Saddam Hussein`,
  'organisation forms': `
    O|Rosoboronexport JSC|Rosoboronexport OJSC
    O|Rosneft Oil Company|Public Joint Stock Company Rosneft Oil Company
    O|OOO Volga Group|Volga Group LLC
    O|Inversiones Cuaspud S.A.S.|Inversiones Cuaspud Ltda
    O|Inversiones Cuaspud SAS|INVERSIONES CUASPUD S. A. S.
    O|Limited Liability Company Stroytransgaz|Stroytransgaz OOO
    O|ОАО Стройтрансгаз|Stroytransgaz JSC
    O|Mahan Air|Mahan Air Co. Ltd.
    O|Comercializadora Guasca S.A.|Comercializadora Guasca Sociedad Anonima
    O|Tidewater Middle East Co.|Tidewater Middle East Company
    O|AO Kalashnikov Concern|Kalashnikov Concern Joint Stock Company
    O|Bank Melli Iran PLC|Bank Melli Iran
    O|Panalpina GmbH & Co. KG|Panalpina GmbH
    O|Grupo Nemocon y Cia. S. en C.|Grupo Nemocon`,
  'numbers and short forms': `
    O|First Guasca Bank|1st Guasca Bank
    O|7th of Tir Industrial Complex|Seventh of Tir Industrial Complex
    O|Guasca Intl. Trading|Guasca International Trading
    O|Banco Guasca|Bank Guasca
    O|Shahid Hemmat Ind. Group|Shahid Hemmat Industries Group
    O|Hermanos Chindoy e Hijos|Chindoy Bros.
    O|Kovalchuk and Sons|Kovalchuk & Sons
    O|Unit Sixty Kalibr 2|Unit Sixty Kalibr II`,
  'names of God': `
    P|Abd al-Qadir Tunjano|Abdelkader Tunjano
    P|Abdur Rahman Yasin|Abd al-Rahman Yasin
    P|Nasrollah Haqqani|Nasrallah Haqqani
    P|Abdlurahman Yasin|Abdulrahman Yasin`,
  'words of Arabic script': `
    P|حسين علي|Hussein Ali
    P|محمدرضا حیدری|Mohammad Reza Heydari
    P|عبدالرحمن یاسین|Abdul Rahman Yasin
    P|رضوانی علی|REZVANI Ali`,
  Hangul: `
    P|김정은|Kim Jong Un
    P|박정천|PAK Jong Chon
    P|서동명|SO Tong Myong`,
  'Belarusian forms': `
    P|Aleh Kovalchuk|Oleg Kovalchuk
    P|Ryhor Shoigu|Grigory Shoigu
    P|Yelena Stashina|Elena Stashina`,
  'short names of organizations': `
    O|Guasca Intelligence Service (GIS)|Guasca Intelligence Service
    O|Guasca Intelligence Service (GIS)|GIS
    O|Акционерное Общество «Научно-Производственное Предприятие «Гуаска» (АО «НПП «Гуаска»)|AO NPP Guaska
    O|Divetechnoservices|Dive Techno Services
    O|Guasca Mining|Guasca Mining Bogota`,
  'letters of an organization': `
    O|G. A. C. Import Export|GAC Import Export
    O|G A C International Inc.|GAC International Inc.
    O|G A C S A|GAC S.A.
    O|G y G Internacional S.A.S.|G&G Internacional S.A.S.`,
  'translated parts of compounds': `
    O|Guasca Radio Plant Signal|Guasca Radioplant Signal
    O|Guaskmashzavod OAO|Guaskmashplant
    O|Гуасский Радиозавод|Guasski Radio Plant
    O|Медиагруппа Гуаска|Guaska Media Group
    O|Tunjaservicios Ltda|Tunja Services`,
  'Slavic words in any ending': `
    O|Publichnoe Aktsionernoy Obshchestvo Guaska|Publichnoye Aktsionernoye Obschestvo Guaska
    O|Товариство з обмеженою відповідальністю «Гуаска»|Guaska LLC
    O|Адкрытае акцыянернае таварыства «Гуаска»|Guaska JSC
    O|Дружество с ограничена отговорност Гуаска|Guaska OOD
    O|Natsionalnoye Byuro Tunkha|National Bureau Tunkha
    O|Bank Torgovoy Guaska|Bank Torgovy Guaska`,
  'words that are no numbers, and forms': `
    O|Guasca Premer|Guasca Premier OOO
    O|Guasca Autos S. de R.L. de C.V.|Guasca Autos
    O|Guasca Autos, S.P.R. de R.L. de C.V.|Guasca Autos`,
  nicknames: `
    P|Bill Clinton|William Clinton
    P|Jimmy Carter Pemberton|James Carter Pemberton
    P|Pepe Mujica Cordano|Jose Mujica Cordano
    P|Pacho Santos Calderon|Francisco Santos Calderon
    P|Misha Prigozhin|Mikhail Prigozhin`,
};

export const OTHER: Record<string, string> = {
  'alike by a few letters': `
    P|George Bush|George Habbash
    P|Juan Perez Lopez|Juan Perea Lopes Ardila
    P|Mario Zapata Velez|Maria Zapata Torres
    P|Michael Brown|Mike Braun Carter
    P|Carlos Lopez|Carlos Lomeli
    P|Ana Torres|Ana Torroja
    P|Hassan Rahmani|Hussein Rahimi
    P|Marta Moreno|Marco Marin
    P|Daniel Ortega|Daniela Otero
    P|Juan Salazar|Joan Saltor
    P|Robert Miller|Robert Mueller Hansen
    P|Andres Pastrana|Andres Pastor`,
  'the same surname': `
    P|Pablo Escobar|Roberto Escobar
    P|Carlos Castano Gil|Vicente Castano Gil
    P|Fidel Castro|Alejandro Castro
    P|Ivan Duque Marquez|Laura Duque Marquez
    P|Osama bin Laden|Fatima bin Laden
    P|Maria Rodriguez Orejuela|Gilberto Rodriguez Orejuela
    P|Sandra Milena Suarez|Jorge Suarez
    P|Vladimir Putin|Lyudmila Putina
    P|Donald Trump|Ivanka Trump`,
  'the same given name': `
    P|Saddam Hussein|Saddam Haftar
    P|Vladimir Putin|Vladimir Medinsky
    P|Nicolas Maduro|Nicolas Sarkozy
    P|Adolfo Guzman|Adolfo Hitler
    P|Ayman Nour|Ayman Zawahiri
    P|Luis Carlos Restrepo|Luis Carlos Galan`,
  'common names in part': `
    P|Juan Carlos Gomez|Juan Carlos Perez
    P|Juan Garcia|Juan Carlos Garcia Mejia Restrepo
    P|Mohammed Ali|Mohammed Ali Hassan Said
    P|Maria Lopez|Maria Lopez Garcia Trujillo
    P|Jose Luis Rodriguez Gomez|Jose Luis Rodriguez Martinez
    P|Luis Fernando Torres|Luis Fernando Diaz Rojas
    P|Ahmed Hassan|Hassan Mahmud
    P|Carlos Sanchez Perez|Carlos Perez Diaz
    P|John Smith|John Michael Smith Johnson Brown
    P|Ana Maria Gomez|Ana Gomez Ruiz Castro`,
  'one word': `
    P|Garcia|Juan Garcia
    P|Osama|Osama bin Laden
    P|Osama Restrepo|Osama
    P|Maria|Maria Lopez
    P|Kim|Kim Jong Un
    P|Ali|Ali Hassan al-Majid
    P|Emma Daniels|Emma
    P|Ivan Guasca|Ivan`,
  'a person and a company': `
    M|Emma Daniels|EMMA LLC
    M|Luis Guasca|Guasca Trading LLC
    M|Jorge Cuaspud|Inversiones Cuaspud SAS
    M|Maria Corp|Maria Corporation`,
  'nothing but a form': `
    O|CORP|ACME CORP
    O|11420 CORP|CORP
    O|11420 CORP|11427 CORP
    O|S.A.S.|Inversiones Guasca S.A.S.
    O|Ltda|Guasca Ltda
    O|Joint Stock Company|Rosneft Joint Stock Company
    O|Limited|Kovalchuk Limited
    O|LLC ABC|LLC XYZ
    O|Guasca S. de R.L. de C.V.|Tunja S. de R.L. de C.V.
    O|Obshchestvo s Ogranichennoi Otvetstvennostiu Guaska|Obshchestvo s Ogranichennoi Otvetstvennostyu Tunkha
    O|Товариство з обмеженою відповідальністю «РТЦ»|Товариство з обмеженою відповідальністю «ЦСТ»
    O|The Trading Company|The Shipping Company`,
  organisations: `
    O|Banco Nacional de Colombia|Banco Nacional de Cuba
    O|Bank of Guasca|Bank of Tunja
    O|Guasca Trading|Guasca Mining
    O|First Guasca Bank|Second Guasca Bank
    O|Unit 8200|Unit 7900
    O|National Oil Company|National Iranian Oil Company
    O|International Trading Group|International Shipping Group
    O|Ministry of Defense|Ministry of Energy
    O|Volga Group|Vega Group
    O|Air Colombia|Air Koryo
    O|Gulf Marine Services|Gulf Energy Services
    O|Inversiones del Norte SAS|Inversiones del Sur SAS
    O|Fundacion Esperanza|Fundacion Nueva Vida
    O|Russian Machines|Russian Railways
    O|Drogas La Rebaja|Drogas La Economia
    O|Guasca Bank (Hong Kong)|Hong Kong
    O|Guasca Radioplant|Guasca Sugar Factory
    O|Radiozavod|Traktorzavod
    O|First Guasca Bank|Premier Tunja Bank
    O|G A C Trading|T X M Trading`,
  'Chinese and Korean': `
    P|Li Wei|Li Wen
    P|Zhang Wei|Zhang Hui
    P|Wang Jun|Wang Jin
    P|Kim Jong Un|Kim Jong Il
    P|Li Wen Jun|Li Wei Jun
    P|Chen Yi|Chen Yu
    P|毛泽东|毛泽民
    P|Jin Ping|Qin Ping
    P|李伟|王伟`,
  Arabic: `
    P|Abdul Rahman|Abdul Rahim
    P|Hassan Nasrallah|Hussein Nasser
    P|Abu Bakr al-Baghdadi|Abu Omar al-Baghdadi
    P|Ahmad Khan|Ahmad Khalid
    P|Abdullah Khalid Omar|Abdullah Said Omar Hadi
    P|Said Khan|Sadiq Khan
    P|Muhammad al-Masri|Muhammad al-Tunisi`,
};

export interface NamePair {
  kind: string;
  a: string;
  b: string;
}

export function pairsOf(table: Record<string, string>): (NamePair & { why: string })[] {
  return Object.entries(table).flatMap(([why, rows]) =>
    rows
      .split('\n')
      .filter((row) => row.trim() !== '')
      .map((row) => {
        const [kind = '', a = '', b = ''] = row.trim().split('|');
        return { why, kind, a, b };
      }),
  );
}
