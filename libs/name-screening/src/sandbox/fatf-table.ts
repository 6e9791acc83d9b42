/**
 * The jurisdictions that the FATF named in its public statements of 13 February 2026: facts, typed by hand. An operator replaces
 * the table after each plenary (February, June, October) by importing a newer one; its age is shown with the lists.
 */
export const FATF_CSV = `country_code,country_name,category,status_as_of,added
KP,Democratic People's Republic of Korea,call_for_action,2026-02-13,
IR,Iran,call_for_action,2026-02-13,
MM,Myanmar,call_for_action_edd,2026-02-13,
DZ,Algeria,increased_monitoring,2026-02-13,
AO,Angola,increased_monitoring,2026-02-13,
BO,Bolivia,increased_monitoring,2026-02-13,2025-06
BG,Bulgaria,increased_monitoring,2026-02-13,
CM,Cameroon,increased_monitoring,2026-02-13,
CI,Côte d'Ivoire,increased_monitoring,2026-02-13,
CD,Democratic Republic of the Congo,increased_monitoring,2026-02-13,
HT,Haiti,increased_monitoring,2026-02-13,
KE,Kenya,increased_monitoring,2026-02-13,
KW,Kuwait,increased_monitoring,2026-02-13,2026-02
LA,Lao PDR,increased_monitoring,2026-02-13,
LB,Lebanon,increased_monitoring,2026-02-13,
MC,Monaco,increased_monitoring,2026-02-13,
NA,Namibia,increased_monitoring,2026-02-13,
NP,Nepal,increased_monitoring,2026-02-13,
PG,Papua New Guinea,increased_monitoring,2026-02-13,2026-02
SS,South Sudan,increased_monitoring,2026-02-13,
SY,Syria,increased_monitoring,2026-02-13,
VE,Venezuela,increased_monitoring,2026-02-13,
VN,Vietnam,increased_monitoring,2026-02-13,
VG,Virgin Islands (UK),increased_monitoring,2026-02-13,2025-06
YE,Yemen,increased_monitoring,2026-02-13,
`;
