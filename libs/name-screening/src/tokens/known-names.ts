/**
 * Names that many people bear, written down by hand. Spellings joined by `=` are one name; two names of this table that are
 * not joined are different names however alike they look (Mario and Maria, Lopez and Lopes are not each other's typing errors).
 * `1` very common, `2` common, `3` known.
 */
export const KNOWN_NAMES: Record<1 | 2 | 3, string> = {
  1: `
    maria=ma juan jose carlos luis jorge ana pedro manuel francisco miguel antonio jesus andres david daniel sandra martha=marta claudia
    diana paola patricia gloria luz carmen rosa jaime javier fernando oscar eduardo alejandro ricardo diego gabriel mario cesar
    alberto rafael hernando gustavo camilo sebastian santiago felipe julian adriana angela monica carolina liliana esperanza blanca
    rodriguez gomez gonzalez=gonzales garcia martinez lopez hernandez sanchez ramirez perez diaz torres rojas moreno munoz vargas
    gutierrez jimenez=gimenez castro ortiz alvarez ruiz suarez romero valencia herrera cardona ospina restrepo giraldo osorio
    mejia morales quintero castillo florez=flores reyes=reies cruz guerrero rivera medina parra
    john=jhon=jon james robert michael william mary elizabeth thomas george charles richard joseph smith johnson brown jones williams
    davis miller wilson anderson taylor thompson martin jackson white harris
    muhammad=mohamed=mohammed=mohammad=muhammed=mohamad=muhamad=muhamed=mohamud=mohd=mouhamed=mouhammad=mahomed=mehmed=mohammod=mukhammad=magomed
    ahmad=ahmed=ahmet=akhmed=akhmad=ahmat ali=aly=alli hassan=hasan=hassen=khasan hussein=husayn=hussain=husain=hossein=hussayn=hosein=husein=hussien=khusein=hossain=hoseyn
    abd abdul=abdel=abdal=abdoul=abdol abdullah=abdallah=abdulla=abdalla=abdoullah=abdollah=abdala
    khan mahmud=mahmoud=mahmood=mehmood=makhmud ibrahim=ebrahim=ibraheem=ibragim=brahim=ibrahima omar=umar=omer=umer khalid=khaled=haled=halid
    vladimir=volodymyr=wladimir=uladzimir aleksandr=alexander=oleksandr=aliaksandr=alexandr=aleksander=aleksandar sergei=sergey=serhii=serhiy=siarhei=serguei=sergej=sergiy
    andrei=andrey=andrii=andriy=andrej aleksei=alexey=aleksey=oleksii=oleksiy=alexei=aleksej dmitri=dmitry=dmitriy=dmytro=dzmitry=dimitri=dmitrii
    mikhail=mykhailo=michail=mihail ivan nikolai=nikolay=mykola=mikalai=nikolaj yuri=yuriy=yury=iurii=yurii=iouri=jurij=juri igor=ihor=ihar
    wang li zhang chen liu yang huang zhao wu zhou kim lee park nguyen tran
  `,
  2: `
    alvaro guillermo hector julio mauricio enrique roberto raul ramon pablo sergio victor arturo alfonso alfredo ernesto german=herman
    gerardo hugo ignacio ivan jairo joaquin leonardo marcela marco=marcos nelson nicolas orlando rodrigo ruben samuel tomas william=wilian wilson yolanda=iolanda
    edgar edwin fabio fabian freddy=fredy gilberto harold henry jhonatan=jonathan=jonatan=johnathan john=jhon lina laura margarita marina
    martha mercedes nancy natalia nubia olga pilar sofia susana teresa valentina valeria vanessa veronica victoria viviana yaneth=janeth=yanet
    alicia amparo andrea beatriz catalina cecilia clara consuelo cristina=christina elena elsa emilia esther=ester fanny flor gladys=gladis helena ines
    irene isabel=isabella janet jessica=yesica jenny=yenny johanna=yohana juana juliana julieta katherine=catherine=katerin leidy=leydy lucia luisa lorena
    mariana milena mireya myriam=miriam=miryam nelly nora paula rocio ruth silvia=sylvia stella tatiana alexandra=alejandra angelica bertha=berta
    aguilar aguirre acosta acevedo agudelo alarcon alzate angel arango arias arboleda arenas aristizabal avila ayala barrera barrios becerra bedoya
    beltran benavides benitez bermudez betancur=betancourt=betancourth bernal blanco bonilla botero buitrago bustos caballero cabrera caicedo calderon calle camacho campo campos
    cano cardenas cardozo=cardoso carmona caro carrillo casas castaneda castano castellanos ceballos cespedes chavez=chaves contreras cordoba
    correa cortes=cortez cuellar davila delgado diez dominguez duarte duque duran echeverri=echeverry escobar espinosa=espinoza estrada
    fajardo fernandez ferrer figueroa fonseca forero franco fuentes galindo gallego galvis gaitan galeano gil guerra guevara guzman
    henao hoyos hurtado ibarra isaza jaramillo lara leal leon linares lizarazo=lizarazo llano londono lozano lugo luna
    macias maldonado manrique marin marquez marulanda mata mendez mendoza mesa=meza miranda molina monsalve montes montoya montano mora mosquera murillo
    naranjo narvaez navarro nieto nino nunez ocampo ochoa olarte ordonez orozco ortega otero pabon pacheco padilla paez palacio=palacios
    pardo paredes patino paz pena=pena penaranda perea pineda pinto pinzon piedrahita pizarro plata polo posada prada prieto puentes pulido quiceno quiroga
    ramos rangel rendon rengifo rico rincon rios robledo rodas roldan romo rosas rosero rubio rueda saavedra salamanca salas salazar salcedo
    saldarriaga salgado salinas sandoval santamaria santana santos sarmiento segura sepulveda serna serrano sierra silva solano solis sosa=soza soto
    tamayo tapia tellez tobon toro tovar trejo trujillo uribe urrego useche usuga valderrama valdes valle vallejo vanegas=banegas varela
    vasquez=vazquez=basquez vega vela velandia velasco velasquez=velazquez velez vera vergara vidal villa villamil villegas villareal=villarreal yepes zambrano zapata zuluaga zuniga
    edward donald mark paul steven=stephen kenneth brian kevin jason matthew=mathew gary timothy larry jeffrey=geoffrey frank scott eric=erik andrew
    raymond gregory joshua jerry dennis walter patrick peter douglas henry carl arthur ryan roger joe jack albert jonathan=jonathon justin terry
    gerald keith samuel willie ralph lawrence nicholas roy benjamin bruce brandon adam harry fred wayne billy steve louis jeremy aaron randy eugene
    jennifer linda barbara susan margaret dorothy lisa karen betty helen donna carol sharon michelle sarah=sara kimberly deborah=debra
    clark lewis robinson walker young allen king wright scott hill green adams baker nelson hall campbell mitchell carter roberts phillips evans turner
    parker edwards collins stewart=stuart morris murphy cook rogers morgan cooper peterson reed bailey bell kelly howard ward cox richardson watson brooks
    wood bennett gray=grey james hughes price myers long foster sanders ross powell sullivan russell jenkins perry butler barnes fisher
    yusuf=yousef=youssef=yousuf=yusef=yusif=yousif=yosef said=saeed=saied=saeid=saaed salih=saleh=salah=salleh mustafa=mostafa=moustafa=mustapha=mustafo hamid=hameed=hamed=khamid
    nasir=nasser=naser=nasr=nassir rahman=rehman=rahmane karim=kareem=kerim=abdulkarim rashid=rasheed=rachid=rashed=raschid salim=saleem=selim=salem
    malik=malek jamal=gamal=djamal=jamaal hakim=hakeem aziz=azeez=azez latif=lateef majid=majeed=majed=madjid=maged
    ismail=esmail=ismael=ismaeel=esmaeil=ismayil qasim=qassem=kassem=kasim=qasem=ghasem=kassim=qassim=gasim sulayman=suleiman=soleiman=sulaiman=suleyman=soliman=sulejman=sulaymon
    tariq=tarek=tareq=tarik faysal=faisal=feisal=faycal zayd=zaid=zeid bilal=belal osama=usama=oussama=ussama haydar=haider=heidar=haidar=hayder
    amin=ameen=emin amir=ameer=emir=aamir habib=habeeb hadi=hady harun=haroun=haroon ishaq=ishak=eshaq isa=issa=eisa=essa jabir=jaber=jabbar
    jafar=jaafar=jaffar=jafer kamal=kamel=kemal=kamil mansur=mansour=mansoor masud=masoud=masood=massoud munir=mounir=muneer musa=moussa=mousa=moosa
    mahdi=mehdi=mehdy nabil=nabeel nadir=nader naim=naeem nur=noor=nour qadir=qader=kader=kadir=ghader=gadir rafiq=rafik=rafeeq ridha=reza=rida=riza=redha sabir=saber sadiq=sadegh=sadeq=sadik
    samir=sameer sharif=sherif=shareef=cherif=sharef shahid=shaheed tahir=taher=taheer walid=waleed=oualid wahid=waheed=vahid yahya=yehia=yahia=yehya=jahja
    yasin=yassin=yaseen=yassine=yasseen yaqub=yaqoob=yacoub=yaghoub=jakub=yakub zahid=zaheed zakariya=zakaria=zachariah zubayr=zubair=zubeir anwar=anouar akbar akram asad=assad=asaad
    fadil=fadel=fazil=fadhil farid=fareed=ferid faruq=farouk=farooq=faruk=farouq ghulam=gholam=golam gul jan shah siddiq=siddique=siddiqui=sediq uthman=othman=usman=osman=ousmane
    zarif=zareef nasrullah=nasrallah habibullah=habiballah rahim=raheem=rahimi husni=hosni=hosny fathi=fathy ghani=gani sultan taha talib=taleb turki
    fatima=fatma=fatimah=fatemeh=fatme aisha=aysha=ayesha=aicha zahra=zehra zaynab=zainab=zeinab maryam=mariam=meryem khadija=khadijah=hadija
    boris viktor=wiktor=viktar anatoly=anatoliy=anatol=anatolii=anatoli konstantin=kostiantyn=kanstantsin pavel=pavlo=pawel oleg=oleh=aleh petr=petro=piatro=pyotr=piotr=pjotr roman ruslan evgeny=yevgeny=yauhen=iauhen=evgeniy=yevgeniy=yevhen=evgenii=evgueni=jewgenij=yevgenii=eugeny
    vasily=vasyl=vasil=vasiliy=vasilii=vasili=wassili valery=valeriy=valerii=valeri vitaly=vitaliy=vitalii=vitali vyacheslav=viacheslav=viachaslau=vyachaslau=viatcheslav=wjatscheslaw=slava gennady=gennadiy=henadz=genadz=henadzi=gennadii=hennadii=gennadi
    grigory=grigoriy=ryhor=hryhory=hryhorii=grigorii=grigori leonid=leonyd=leanid arkady=arkadiy=arkadii maksim=maxim=maksym=maxym kirill=kiril=kiryl=kyrylo=cyril denis=denys artem=artyom=artsiom=artsem=artiom anton stanislav=stanislaw=stanislau timur ramzan rustam
    fyodor=fedor=fiodar=fiodor=fjodor=feodor semyon=semen=simeon ilya=illia=ilia=ilja=iliya yegor=egor=yehor=jegor lev yakov=iakov=jakow nikita=mykyta eduard vadim=vadym valentin valentyn
    natalya=nataliya=natallia=nataliia=nataliia tatyana=tetiana=tatsiana=tatjana=tetyana olha yelena=elena=olena=jelena=alena irina=iryna lyudmila=liudmyla=ludmila=ljudmila svetlana=svitlana=sviatlana yekaterina=ekaterina=katsiaryna=kateryna=katerina galina=halyna=halina
    ivanov=ivanoff=iwanow petrov=petroff kuznetsov smirnov popov sokolov novikov morozov volkov volkov kozlov lebedev pavlov
    bianca sun ma zhu hu guo he lin gao luo zheng liang xie song tang xu deng han feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lu ding ren shen yao lu jiang cui zhong tan fan jin
    choi jung=jeong kang=gang cho=jo yoon=yun jang lim=im shin=sin seo=suh kwon hwang ahn song ryu=yoo hong pak=bak ri rhee
    le pham hoang phan vu vo dang bui do ho ngo duong ly tanaka sato suzuki takahashi watanabe ito yamamoto nakamura kobayashi
    singh kumar sharma patel das gupta silva santos oliveira souza=sousa pereira ferreira costa rodrigues almeida nascimento lima araujo ribeiro
    joao=joan paulo marcelo thiago=tiago lucas mateus bruno
  `,
  3: `
    adolfo agustin alonso amalia amelia armando aurelio aurora belen benito bernardo brenda calixto celia cristian=christian=cristhian=kristian dario delia dora
    efrain elias eliana elkin emilio erika=erica ernesto eugenia eva ever faustino federico felix fidel gabriela gina gonzalo graciela gregorio griselda hernan hilda
    hermes homero humberto isidro ismael ivonne=yvonne jacinto jacobo jazmin=yasmin=jasmin jean jhoan=johan=yohan joel josefina=josefa jovanni=giovanni=yovanny kelly ingrid karina=carina karol=carol
    leticia lisandro lucila lucrecia magdalena manuela marcelino marcial margot mariela marisol maritza=marisa matilde maximiliano melissa moises nestor norma
    octavio ofelia omaira=omayra osvaldo=oswaldo otilia pascual paulina piedad rebeca reinaldo=reynaldo renato rigoberto rita rolando rosalba rosario rubiela salvador
    saul soledad tulio ursula vicente virginia vladimiro wilmer=wilmar=vilmar yamile=yamil yeison=jeison=jason=yeisson yuliana=juliana yesid=yezid zoraida
    jhonny=johnny=jonny bryan=brayan=brian stiven=steven=estiven alexis alirio anibal ariel aldemar arnulfo arley arnold asdrubal
    pierre jean jacques michel philippe francois claude andre bernard marie anne hans klaus peter jurgen wolfgang helmut giuseppe giovanni marco luigi
    stefan jan tomasz piotr krzysztof andrzej marek pawel milan dragan zoran goran slobodan radovan ratko
    adel ayman=aiman ayub=ayoub=ayyub badr=bader dawud=daoud=dawood=daud ehsan fahd=fahad fawzi=fawzy firas ghazi hafiz=hafez hani=hany hashim=hashem=hachem=hasheem hatim=hatem hisham=hicham
    ilyas=elias=ilias imad=emad jihad=jehad jalal=jalaluddin=galal khalil=khaleel=halil lutfi mahir=maher mazin=mazen mubarak=mobarak muhsin=mohsen=mohsin mukhtar=mokhtar mundhir=munzir murad=mourad muslim mutaz
    najib=najeeb=naguib=nadjib nawaf nizar omran=imran=emran qais=kais qari rabi=rabia=rabie raed=raid ramadan=ramazan ramzi riyad=riad=riyadh sabri saad saud=saoud safwan sajid sami=samy shakir=shaker sharaf shihab suhayl=suhail=sohail
    tawfiq=tawfik=toufic=taufiq umran wael=wail wisam=wissam zain=zayn ziyad=ziad zuhair=zuhayr zulfiqar=zulfikar
    mayra=maira ahmadi=ahmady=akhmadi mahmoudi=mahmudi hosseini=husseini=hussaini mohammadi=muhammadi
    grace mason ava emma olivia noah liam ethan logan tyler megan dylan amber kyle brooke trevor spencer whitney chloe jacob joshua justin brandon ryan zachary austin
    nathan christopher kevin jeffrey gary jessica ashley amanda melissa stephanie nicole heather amy angela lisa karen nancy betty dorothy helen donna carol ruth sharon
    kathleen cynthia rachel emily hannah madison abigail samantha lauren alyssa taylor hailey jordan cameron hunter evan gavin caleb isaac wyatt carter owen luke levi
    lucas aiden jayden landon connor colton parker chase cole blake bradley derek marcus shawn=sean=shaun travis jeremy dustin scott keith craig douglas dennis larry jerry
    roger ralph eugene louis philip=phillip bruce wayne roy carl terry gerald harold walter arthur frank raymond jack peter stephen patrick gregory
    young hall allen wright hill green baker adams campbell mitchell roberts turner phillips evans edwards collins stewart=stuart morris murphy cook rogers morgan cooper
    peterson reed bailey bell howard ward cox richardson wood watson brooks bennett gray hughes price myers long foster sanders ross coleman jenkins perry powell
    patterson butler simmons bryant griffin hayes hamilton graham sullivan wallace webster fisher ellis harrison gibson mcdonald marshall owens patel sharma singh gupta
    bush clinton trump obama reagan kennedy nixon roosevelt lincoln
  `,
};

/** Given names and what their bearers are called. Only a hint: less than the same name. */
export const NICKNAMES = `
  jose=pepe francisco=paco=pancho=kiko=fco=pacho jesus=chucho maria=mary guillermo=memo ignacio=nacho enrique=quique alejandro=alex=jandro eduardo=lalo=edu
  roberto=beto alberto=beto antonio=tono=toni manuel=manolo=manny luis=lucho carlos=charly rafael=rafa gabriel=gabo vicente=chente sergio=checho santiago=santi
  fernando=nando fernanda=fer concepcion=concha=conchita dolores=lola guadalupe=lupe isabel=chabela mercedes=meche rosario=charo consuelo=chelo graciela=chela
  cristina=cris francisca=paca hernando=nando rodolfo=rodo joaquin=quin andres=andy daniel=dani
  william=bill=billy=will=willie=liam robert=bob=bobby=rob=robbie richard=rick=dick=ricky=rich james=jim=jimmy=jamie john=jack=johnny joseph=joe=joey thomas=tom=tommy
  charles=charlie=chuck=chas edward=ed=eddie=ted=teddy=ned michael=mike=mickey=mick daniel=dan=danny david=dave=davy george=georgie anthony=tony andrew=andy=drew
  matthew=matt benjamin=ben=benny samuel=sam=sammy alexander=alex=sandy=sasha kenneth=ken=kenny steven=steve nicholas=nick timothy=tim gregory=greg
  lawrence=larry frederick=fred=freddy gerald=gerry=jerry jeffrey=jeff donald=don ronald=ron=ronnie peter=pete philip=phil patrick=pat=paddy walter=walt
  christopher=chris henry=harry=hank arthur=art albert=al=bert leonard=len=lenny raymond=ray stephen=steve vincent=vince joshua=josh jonathan=jon zachary=zach
  elizabeth=liz=beth=betty=eliza=lizzie=betsy margaret=maggie=peggy=meg=marge katherine=kate=kathy=katie=kat mary=molly=polly patricia=patty=trish=pat
  barbara=barb=babs susan=sue=susie jennifer=jen=jenny rebecca=becky=becca deborah=debbie=deb victoria=vicky=tori alexandra=sandra=alex=sasha dorothy=dot=dolly theresa=terry=tess
  vladimir=volodya=vova=vlad mikhail=misha aleksandr=sasha=sanya=shura dmitri=dima=mitya nikolai=kolya ivan=vanya sergei=seryozha=serezha aleksei=alyosha=lyosha boris=borya
  pavel=pasha yuri=yura evgeny=zhenya grigory=grisha konstantin=kostya anatoly=tolya viktor=vitya igor=igoryok maria=masha=mariya anastasia=nastya yekaterina=katya
  natalya=natasha tatyana=tanya yelena=lena olga=olya svetlana=sveta irina=ira lyudmila=lyuda
`;

/** Words that names of organizations and ships share. */
export const ORGANISATION_WORDS: Record<1 | 2 | 3, string> = {
  1: `international trading bank group general national industry import export services holding investment shipping construction company transport technology
    engineering enterprise development petroleum oil gas energy financial finance global world united union state central republic federal
    foundation association organization center institute university ministry department government new`,
  2: `agency airlines air marine sea lines line logistics management consulting consultants capital real estate property properties house media communications
    telecom electronics electric electrical power steel metal metals mining minerals chemical chemicals pharma pharmaceutical medical food foods agricultural
    agro textile auto motors equipment machinery tools supply supplies products manufacturing factory production research scientific science design bureau
    security defense defence military force forces army front movement party liberation islamic muslim people peoples democratic revolutionary youth
    north south east west northern southern eastern western middle asia asian africa european europe american america pacific gulf arab
    insurance exchange money credit trust society network systems solutions system design project projects city town port free zone first great
    iran iranian syria syrian russia russian korea korean china chinese cuba cuban iraq iraqi sudan libya lebanon venezuela colombia mexico panama belarus myanmar turkey
    tehran moscow moskva dubai beijing hong kong havana bogota cali medellin damascus baghdad pyongyang`,
  3: `star sun moon golden gold silver diamond blue red black white green royal crown eagle lion ocean island river mountain valley bridge tower crystal
    pearl phoenix dragon victory peace hope unity liberty alpha beta omega delta sigma prime premier super mega max plus pro tech net com digital data info
    del norte sur oriente occidente inmobiliaria agropecuaria ganadera hotel hotelera turismo seguros distribuidora drogas farmacia farmacias hacienda
    london york paris berlin geneva zurich istanbul kiev kyiv minsk tokyo seoul shanghai shenzhen singapore bangkok karachi kabul cairo beirut`,
};
