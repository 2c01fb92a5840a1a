/**
 * Words and patterns of the demonstration tenders. All of them are invented. In a pattern `{name}` stands for an entry
 * of SLOTS and `{2-40}` for a whole number in that range.
 */
import type { SourceTender } from '../source-tender.ts';

type ListedDocument = SourceTender['documents'][number];

/** Works of one kind of department. `code` follows 'DEMO' in its tender ids; `share` is its weight. */
export interface Trade {
  code: string;
  /** Matches a name or alias of its departments; the first match counts. */
  departments: RegExp;
  share: number;
  subCategory: string;
  /** The officer whose office invites the tenders. */
  office: string;
  /** The parts of its works, for long titles. */
  subHeads: readonly string[];
  works: readonly string[];
  supplies: readonly string[];
}

/** The last trade matches every other department. */
export const TRADES: readonly Trade[] = [
  {
    code: 'PWD',
    departments: /\bpwd\b|public works|\broads?\b(?! transport)|pmgsy|highway|expressway|bridge|\bpul\b|\bsetu\b/i,
    share: 14,
    subCategory: 'Roads and Bridges',
    office: 'Executive Engineer',
    subHeads: [
      'earth work',
      'masonry work',
      'metalling and tarring',
      'cross drainage works',
      'side drains',
      'parapets',
    ],
    works: [
      'Construction of link road to {site} km 0/0 to {1-6}/{chainage}',
      'Providing and laying bituminous concrete on {village} {road} km {0-9}/0 to {10-24}/{chainage}',
      'Widening and strengthening of {village} to {village} road from km {0-9}/{chainage} to km {10-18}/0',
      'Construction of {wall} at RD {0-8}/{chainage} on {village} {road}',
      'Periodical renewal of {village} {road} km {0-5}/0 to {6-12}/{chainage}',
      'Construction of {6-40} metre span RCC bridge over {stream} on {village} {road}',
      'Restoration of rain damages on {village} {road} km {0-9}/0 to {10-16}/0',
      'Repair and maintenance of {building} at {site}',
    ],
    supplies: [
      'Supply of {10-90} MT bitumen VG-{grade} in bulk',
      'Supply of crash barriers and {sign} for {village} {road}',
    ],
  },
  {
    code: 'POWER',
    departments: /energy|\bpower\b|electric|transmission|vidyut|bijli|\burja\b|\bvij\b/i,
    share: 4,
    subCategory: 'Electrical Works',
    office: 'Executive Engineer',
    subHeads: ['erection of poles', 'stringing of conductor', 'earthing', 'transformer plinth', 'danger boards'],
    works: [
      'Construction of {voltage} kV line from {village} to {village} with {capacity} kVA sub-station',
      'Augmentation of {capacity} kVA distribution sub-station at {site}',
      'Replacement of bare conductor by covered conductor on {voltage} kV {village} feeder',
      'Civil works for control room and equipment foundations of {voltage} kV sub-station {village}',
      'Repair of distribution transformers up to {capacity} kVA of sub-division {village}',
    ],
    supplies: [
      'Supply of {50-900} numbers PCC poles of {8-11} metres to the store at {site}',
      'Supply of {capacity} kVA distribution transformers, {stage}',
    ],
  },
  {
    code: 'WATER',
    departments: /irrigation|water|\bjala?\b|public health eng|flood|sewer/i,
    share: 4,
    subCategory: 'Water Works',
    office: 'Executive Engineer',
    subHeads: ['intake chamber', 'rising main', 'storage tank', 'distribution system', 'pump house', 'thrust blocks'],
    works: [
      'Providing and laying {pipe} pipe line for water supply scheme {village} in {site}',
      'Augmentation of lift water supply scheme {village} to {village}, {stage}',
      'Construction of RCC storage tank of {20-200} thousand litres capacity at {site}',
      'Construction of field channels and {wall} for flow irrigation scheme {village}',
      'Providing flood protection works along {stream} at {site}',
      'Drilling of {150-300} mm bore well and installation of hand pump at {site}',
      'Repair of filter beds and replacement of valves of water supply scheme {village}',
    ],
    supplies: [
      'Supply of submersible pump sets of {5-60} HP for water supply scheme {village}',
      'Supply of {pipe} pipes and specials to the store at {site}',
    ],
  },
  {
    code: 'HEALTH',
    departments: /health|medical|hospital|ayush|medicine/i,
    share: 1,
    subCategory: 'Civil Works - Buildings',
    office: 'Chief Medical Officer',
    subHeads: ['building work', 'sanitary fittings', 'internal electrification', 'flooring', 'painting'],
    works: [
      'Construction of primary health centre building at {site}',
      'Renovation of {ward} of civil hospital at {site}',
      'Providing medical gas pipe line in {ward} of community health centre {village}',
    ],
    supplies: [
      'Supply of {medical} for hospitals and health centres',
      'Supply and installation of {medical} at {site}',
    ],
  },
  {
    code: 'EDU',
    departments: /education|school|universit|college|sports|youth/i,
    share: 1.5,
    subCategory: 'Civil Works - Buildings',
    office: 'Executive Engineer',
    subHeads: ['building work', 'roof treatment', 'sanitary fittings', 'flooring', 'doors and windows', 'painting'],
    works: [
      'Repair and maintenance of Govt Senior Secondary School building at {site}',
      'Construction of {2-8} additional class rooms in Govt High School at {site}',
      'Construction of science laboratory and library block of Govt College at {site}',
      'Development of play ground and boundary wall of Govt Middle School at {site}',
    ],
    supplies: ['Supply of {school} to Govt schools', 'Supply of laboratory equipment to Govt College at {site}'],
  },
  {
    code: 'URBAN',
    departments: /urban|municipal|(?<!police )housing|shelter|\btown|local (?:self.?)?(?:government|bod)|smart city/i,
    share: 3,
    subCategory: 'Municipal Works',
    office: 'Executive Officer',
    subHeads: ['excavation', 'base course', 'kerb stones', 'drain covers', 'making good of services'],
    works: [
      'Providing and laying interlocking paver blocks in {street} at Ward No. {1-40}',
      'Construction of drain and culvert in {street} at Ward No. {1-40}',
      'Construction of community hall at Sector {2-60}, {stage}',
      'Providing street lights on poles in {street} of Sector {2-60}',
      'Development of park and open gymnasium at Ward No. {1-40}',
    ],
    supplies: [
      'Supply of {bins} for Ward No. {1-15} to {16-40}',
      'Supply of tipper vehicles for door to door collection',
    ],
  },
  {
    code: 'RURAL',
    departments: /rural|panchayat|tribal|village/i,
    share: 2.5,
    subCategory: 'Rural Works',
    office: 'Block Development Officer',
    subHeads: ['earth work', 'concrete work', 'masonry work', 'steps and railing', 'side drain'],
    works: [
      'Construction of panchayat building at Gram Panchayat {village}',
      'Construction of concrete path from {village} to {village} in Gram Panchayat {village}',
      'Construction of {wall} near {building} at Gram Panchayat {village}',
      'Construction of foot bridge over {stream} at Gram Panchayat {village}',
    ],
    supplies: ['Supply of {cement} for works of Gram Panchayat {village}', 'Supply of solar street lights to {site}'],
  },
  {
    code: 'AGRI',
    departments: /agricultur|horticultur|forest|fisher|animal|veterinary|environment|dairy/i,
    share: 1,
    subCategory: 'Civil Works - Others',
    office: 'Divisional Forest Officer',
    subHeads: ['excavation', 'dry stone masonry', 'crate work', 'fencing', 'concrete work'],
    works: [
      'Construction of check dams and {wall} along {stream} at {site}',
      'Construction of godown of {100-900} MT capacity at {site}',
      'Fencing of nursery and plantation area at {site}',
      'Construction of market yard sheds at {site}',
    ],
    supplies: ['Supply of {farm} for the season', 'Supply of chain link fencing to the nursery at {site}'],
  },
  {
    code: 'IT',
    departments: /information technology|electronics|digital|\bit\b|science/i,
    share: 0.5,
    subCategory: 'Information Technology',
    office: 'General Manager',
    subHeads: ['conduits and cables', 'racks', 'testing and certification', 'false flooring'],
    works: [
      'Structured cabling and network of {building} at {site}',
      'Interior, electrical and cooling works of data room at {site}',
    ],
    supplies: ['Supply of {computer} with {2-5} years warranty', 'Supply and installation of {computer} in {building}'],
  },
  {
    code: 'GOVT',
    departments: /(?:)/,
    share: 1,
    subCategory: 'Civil Works - Buildings',
    office: 'Executive Engineer',
    subHeads: ['building work', 'sanitary fittings', 'internal electrification', 'site development', 'fire fighting'],
    works: [
      'Construction of {building} at {site}, {stage}',
      'Annual repair and maintenance of {building} at {site}',
      'Internal electrical installation and fire alarm system of {building} at {site}',
      'Construction of boundary wall and approach of {building} at {site}',
    ],
    supplies: ['Supply of office furniture for {building}', 'Supply of {computer} to {building} at {site}'],
  },
];

/** Services for any department. */
export const SERVICES: readonly string[] = [
  'Hiring of security and watch and ward services for {building} at {site}',
  'Housekeeping and sanitation services of {building} at {site} for {2-3} years',
  'Hiring of {2-20} vehicles with drivers on monthly basis',
  'Consultancy services for survey, design and detailed project report of {village} {road}',
  'Annual maintenance contract of lifts and {electrical} of {building}',
  'Operation and maintenance of {electrical} at {site} for {2-5} years',
];

/** Endings of long titles. */
export const TITLE_SUFFIXES: readonly string[] = [
  ' including supply of all material, labour, tools and plant',
  ' (SH: {subHeads} and allied works)',
  ' including {subHeads} and allied works',
  ' including dismantling of the old work, carriage of material by all means and making good the damages',
  ' (balance work) including {subHeads} and disposal of surplus material within all leads and lifts',
];

/** Sentences that make a description longer than its title. */
export const DETAIL_SENTENCES: readonly string[] = [
  'The work comprises {subHeads} and allied items as per the bill of quantities.',
  'Rates shall include carriage of material, taxes and all other charges.',
  'The site may be seen on any working day before the bid is submitted.',
  'The work shall be executed as per the specifications of the department.',
  'Quantities are approximate and may vary during execution.',
];

/** Names of sites and words of the patterns above; `{subHeads}` are two of the trade's. Village names are composed, so they are invented. */
export const SLOT_VALUES: Readonly<Record<string, readonly string[]>> = {
  village: ['{head}{tail}', '{head}{tail}', '{head}{tail}', '{head}{tail} Khurd', '{head}{tail} Kalan'],
  head: [
    'Bhan',
    'Chir',
    'Dhan',
    'Garn',
    'Jhol',
    'Kand',
    'Lohn',
    'Malk',
    'Nirm',
    'Panj',
    'Rajh',
    'Sunt',
    'Tibr',
    'Ujhl',
    'Vijr',
  ],
  tail: ['adola', 'agali', 'arota', 'asana', 'ehari', 'ikhera', 'itara', 'agora', 'awata', 'okhola', 'udhari', 'ewara'],
  site: ['village {village}', 'village {village}', '{village}', 'Ward No. {1-30}', 'Sector {2-60}', 'hamlet {village}'],
  road: ['road', 'link road', 'bypass road', 'market road', 'approach road'],
  chainage: ['0', '150', '300', '500', '650', '800'],
  wall: ['retaining wall', 'breast wall', 'RCC retaining wall', 'gabion wall', 'toe wall', 'protection wall'],
  stream: ['the local nallah', 'the seasonal stream', '{village} khad', '{village} nallah'],
  building: [
    'rest house',
    'mini secretariat',
    'office complex',
    'staff quarters',
    'veterinary hospital',
    'bus stand',
    'court complex',
  ],
  grade: ['10', '30', '40'],
  sign: ['sign boards', 'delineators', 'road studs'],
  pipe: ['100 mm DI', '150 mm GI', '90 mm HDPE', '200 mm DI', '65 mm GI', '110 mm UPVC'],
  stage: ['Phase I', 'Phase II', 'first package', 'second package', 'balance work'],
  voltage: ['11', '22', '33', '66'],
  capacity: ['25', '63', '100', '250', '400'],
  ward: ['operation theatre', 'maternity ward', 'out-patient block', 'emergency ward'],
  medical: [
    'surgical consumables',
    'X-ray machines',
    'hospital beds and mattresses',
    'laboratory reagents',
    'patient monitors',
  ],
  school: ['dual desks', 'science kits', 'library almirahs', 'sports material'],
  street: ['main bazaar', 'internal streets', 'back lanes', 'colony road', 'market lane'],
  bins: ['twin litter bins', 'hand carts', 'refuse containers'],
  cement: ['steel and shuttering material', 'stone aggregate and sand', 'precast paver blocks'],
  computer: ['desktop computers', 'laptops', 'network switches', 'online UPS', 'multi-function printers'],
  farm: ['vegetable seeds', 'fruit plants', 'polybags and nursery tools', 'drip irrigation sets', 'cattle feed'],
  electrical: ['diesel generator sets', 'pump sets', 'air-conditioning plant', 'sewage treatment plant'],
};

/** Joins a title and the name of its district. */
export const DISTRICT_PHRASES: readonly string[] = [', Distt. ', ', District ', ', Tehsil {village}, Distt. ', ' in '];

const TECHNICAL_DOCUMENTS = [
  { type: 'pdf', name: 'Scanned copy of EMD and cost of tender form' },
  { type: 'pdf', name: 'Enlistment certificate and PAN' },
  { type: 'pdf', name: 'GST registration certificate' },
];
const BILL_OF_QUANTITIES = { cover: 'Finance', type: 'xls', name: 'Bill of quantities' };

/** Documents of bidders, for tenders with one, two and three covers. */
export const DOCUMENT_LISTS: readonly ListedDocument[][] = [
  [...TECHNICAL_DOCUMENTS, BILL_OF_QUANTITIES].map((document) => ({
    ...document,
    cover: 'Fee/PreQual/Technical/Finance',
  })),
  [...TECHNICAL_DOCUMENTS.map((document) => ({ cover: 'Fee/PreQual/Technical', ...document })), BILL_OF_QUANTITIES],
  [
    ...TECHNICAL_DOCUMENTS.map((document, index) => ({
      cover: index === 0 ? 'Fee' : 'PreQual/Technical',
      ...document,
    })),
    BILL_OF_QUANTITIES,
  ],
];

/** Documents that a corrigendum adds to the first cover. */
export const ADDED_DOCUMENTS = [
  { type: 'pdf', name: 'Addendum to the notice inviting tender' },
  { type: 'pdf', name: 'Drawings' },
  { type: 'xls', name: 'Revised bill of quantities' },
];

/** Corrigenda without values. */
export const NAMED_CORRIGENDA: SourceTender['corrigenda'] = [
  { title: 'Corrigendum 1: reply to queries of bidders', type: 'Other' },
  { title: 'Corrigendum 1: eligibility conditions', type: 'Technical Bid' },
  { title: 'Corrigendum 1: special conditions of contract', type: 'Terms and Conditions' },
  { title: 'Corrigendum 1: bill of quantities', type: 'BOQ' },
];
