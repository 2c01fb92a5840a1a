/** What each kind of document is, who issues it, and the common mistakes with it. */
import { msg } from '@lingui/core/macro';

export const KIND_TEXTS = {
  tender_fee: {
    what: msg`Proof that the cost of the tender form was paid (DD, challan or online receipt).`,
    issuedBy: msg`Bank / treasury / portal`,
    mistakes: [
      msg`DD in the wrong name or payable at the wrong place`,
      msg`DD dated after closing`,
      msg`original DD not handed in when the notice is "offline"`,
    ],
  },
  emd: {
    what: msg`Proof of earnest money: FDR, bank guarantee, DD, challan or online receipt.`,
    issuedBy: msg`Bank / portal`,
    mistakes: [
      msg`FDR not pledged to the named officer`,
      msg`amount short by a few rupees`,
      msg`original not delivered before opening`,
      msg`claiming exemption where the notice allows none`,
    ],
  },
  enlistment: {
    what: msg`Registration with PWD / Jal Shakti / board in the class that covers this work.`,
    issuedBy: msg`PWD, Jal Shakti, board or other enlisting office`,
    mistakes: [
      msg`class too small for the estimate`,
      msg`renewal expired before the closing date`,
      msg`enlistment of another department where the notice names its own`,
    ],
  },
  pan: {
    what: msg`Permanent Account Number of the bidder (firm PAN for a firm).`,
    issuedBy: msg`Income Tax Department`,
    mistakes: [msg`PAN of the partner uploaded instead of the firm`, msg`unreadable scan`],
  },
  gst_registration: {
    what: msg`GST registration certificate (Form REG-06).`,
    issuedBy: msg`GST department`,
    mistakes: [msg`registration cancelled or suspended`, msg`name differs from the enlistment`],
  },
  gst_return: {
    what: msg`Latest GST return (3B/GSTR-1) or no-dues / clearance certificate.`,
    issuedBy: msg`GST portal / CA`,
    mistakes: [msg`return older than the last due month`, msg`registration uploaded in place of the return`],
  },
  itr: {
    what: msg`Income-tax return acknowledgement for the years asked.`,
    issuedBy: msg`Income Tax Department`,
    mistakes: [
      msg`old assessment year`,
      msg`one year uploaded where three are asked`,
      msg`only the computation, not the acknowledgement`,
    ],
  },
  epf: {
    what: msg`Provident-fund code letter of the establishment.`,
    issuedBy: msg`EPFO`,
    mistakes: [msg`UAN of a worker given instead of the firm code`, msg`exempt-by-size undertaking missing`],
  },
  epf_return: {
    what: msg`Latest ECR or paid challan.`,
    issuedBy: msg`EPFO / ESIC portal`,
    mistakes: [msg`challan older than two months`, msg`nil return not uploaded`],
  },
  esi: {
    what: msg`Employees State Insurance code.`,
    issuedBy: msg`ESIC`,
    mistakes: [msg`left out when the notice says EPF/ESI`],
  },
  affidavit_correct: {
    what: msg`Affidavit naming this work, that all information in the bid is correct.`,
    issuedBy: msg`You, before a notary / magistrate`,
    mistakes: [
      msg`old affidavit of another work`,
      msg`name of work missing`,
      msg`not attested by the officer the notice names`,
      msg`plain paper`,
    ],
  },
  no_near_relative: {
    what: msg`List / affidavit of relatives working as officers in the department.`,
    issuedBy: msg`You (often notarised)`,
    mistakes: [msg`"nil" not written and left blank`, msg`name of work missing`],
  },
  not_blacklisted: {
    what: msg`Affidavit that the firm is not blacklisted or debarred.`,
    issuedBy: msg`You, before a notary / magistrate`,
    mistakes: [msg`older than the months allowed`, msg`not on the stamp paper asked`],
  },
  no_litigation: {
    what: msg`Affidavit or list of court and arbitration cases.`,
    issuedBy: msg`You, before a notary / magistrate`,
    mistakes: [msg`"nil" not stated`, msg`last five years not covered`],
  },
  affidavit_other: {
    what: msg`An affidavit whose words are in the tender document.`,
    issuedBy: msg`You, before a notary / magistrate`,
    mistakes: [msg`wording not as in the tender document`, msg`attested by a notary where a magistrate is asked`],
  },
  undertaking: {
    what: msg`Signed undertaking that you studied and accept the conditions (also bid validity, no deviation).`,
    issuedBy: msg`You`,
    mistakes: [msg`name of work or date missing`, msg`a deviation written in makes the bid conditional`],
  },
  dsc_authorisation: {
    what: msg`Letter authorising the person whose digital signature is used.`,
    issuedBy: msg`You / the firm`,
    mistakes: [msg`bid signed with another person's DSC without the letter`, msg`DSC expired on the day`],
  },
  power_of_attorney: {
    what: msg`Authority to sign for a firm or company.`,
    issuedBy: msg`Firm, registered / notarised`,
    mistakes: [msg`signed by one partner only`, msg`not notarised`],
  },
  joint_venture: {
    what: msg`JV agreement, only if you bid as a joint venture.`,
    issuedBy: msg`The partners, notarised`,
    mistakes: [msg`JV offered where the notice bars it`, msg`shares not stated`],
  },
  site_visit: {
    what: msg`Statement (or officer's certificate) that you saw the site.`,
    issuedBy: msg`You / section officer`,
    mistakes: [msg`officer's signature asked but self-declared`],
  },
  tender_form: {
    what: msg`The department's tender form filled and signed.`,
    issuedBy: msg`Department form, you sign`,
    mistakes: [msg`witness or address left blank`, msg`blank form uploaded`, msg`rates written in it`],
  },
  tender_document: {
    what: msg`The NIT, bid document or conditions, every page signed and uploaded back.`,
    issuedBy: msg`Download; you sign`,
    mistakes: [msg`pages missing`, msg`corrigendum not signed`, msg`unsigned copy`],
  },
  price_bid: {
    what: msg`The BOQ file with your rates, in the Finance cover only.`,
    issuedBy: msg`Download; you fill`,
    mistakes: [
      msg`price shown in the technical cover`,
      msg`file renamed or macro broken`,
      msg`saved in another format`,
    ],
  },
  machinery: {
    what: msg`List of plant with RC, invoice or lease deed.`,
    issuedBy: msg`You; RC from transport office`,
    mistakes: [msg`lease not for this work`, msg`RC in another name`, msg`a machine of schedule F missing`],
  },
  key_staff: {
    what: msg`List of engineers with degrees and consent.`,
    issuedBy: msg`You`,
    mistakes: [msg`degree or consent letter missing`],
  },
  experience: {
    what: msg`Completion or performance certificates of similar works.`,
    issuedBy: msg`Executive engineer / client`,
    mistakes: [
      msg`not signed by an executive engineer`,
      msg`amount or date not shown`,
      msg`private work without TDS proof`,
      msg`work not similar`,
      msg`outside the last years asked`,
    ],
  },
  work_in_hand: {
    what: msg`List or certificate of ongoing works, or affidavit that you hold no more than the limit.`,
    issuedBy: msg`You; often countersigned by the executive engineer`,
    mistakes: [msg`not countersigned`, msg`one running work left out`, msg`over the two-work limit`],
  },
  bid_capacity: {
    what: msg`Working of available bid capacity (A×N×M − B).`,
    issuedBy: msg`You / CA`,
    mistakes: [msg`works in hand left out of B`, msg`turnover year or multiplier wrong`, msg`not signed by CA`],
  },
  turnover: {
    what: msg`CA-certified turnover, audited accounts or net worth.`,
    issuedBy: msg`Chartered accountant (UDIN)`,
    mistakes: [msg`no UDIN`, msg`years not those asked`, msg`balance sheet without CA seal`],
  },
  solvency_credit: {
    what: msg`Solvency certificate, bank credit line or banker certificate.`,
    issuedBy: msg`Bank / revenue officer`,
    mistakes: [msg`older than six or twelve months`, msg`amount too small`],
  },
  labour_licence: {
    what: msg`Contract-labour or BOCW registration, workmen insurance policy.`,
    issuedBy: msg`Labour department / insurer`,
    mistakes: [msg`licence for another work or expired`],
  },
  electrical_licence: {
    what: msg`Electrical contractor (class A/B) licence.`,
    issuedBy: msg`Chief Electrical Inspector`,
    mistakes: [msg`expired`, msg`class too low for HT work`],
  },
  other_licence: {
    what: msg`Shop, drug, food, blasting, transport permit or vehicle documents.`,
    issuedBy: msg`The licensing office`,
    mistakes: [msg`expired or for another category`],
  },
  bidder_details: {
    what: msg`A page with address, mobile and e-mail; letterhead; specimen signatures; bidder information form.`,
    issuedBy: msg`You`,
    mistakes: [msg`e-mail or mobile missing`],
  },
  bank_details: {
    what: msg`Account number, IFSC or a cancelled cheque.`,
    issuedBy: msg`Your bank`,
    mistakes: [msg`account in a different name`],
  },
  identity: {
    what: msg`Aadhaar or another photo identity.`,
    issuedBy: msg`UIDAI / government`,
    mistakes: [msg`unmasked or unreadable copy`],
  },
  firm_deed: {
    what: msg`Constitution of the firm: deed, MoA, certificate of incorporation, ownership change.`,
    issuedBy: msg`Registrar of firms / companies`,
    mistakes: [msg`all partners not shown`, msg`unregistered deed`],
  },
  mse_startup: {
    what: msg`Certificate used for EMD or fee exemption.`,
    issuedBy: msg`MSME / NSIC / DPIIT`,
    mistakes: [msg`activity on the certificate does not match the tender`, msg`notice allows no exemption`],
  },
  technical_spec: {
    what: msg`Data sheets, brochures, drawings, GTP, compliance sheet, sample.`,
    issuedBy: msg`Manufacturer`,
    mistakes: [msg`compliance sheet unsigned`, msg`model number missing`, msg`sample not delivered`],
  },
  oem_authorisation: {
    what: msg`OEM letter, dealership or manufacturer proof.`,
    issuedBy: msg`Manufacturer`,
    mistakes: [msg`letter not for this tender`, msg`expired dealership`],
  },
  quality_certificate: {
    what: msg`Type-test reports and quality certificates.`,
    issuedBy: msg`NABL / CPRI lab, BIS, ISO body`,
    mistakes: [msg`test older than five years`, msg`not from the named lab`],
  },
  local_content: {
    what: msg`Local-content self certificate, land-border declaration.`,
    issuedBy: msg`You / CA`,
    mistakes: [msg`percentage or place of value addition missing`],
  },
  integrity_pact: {
    what: msg`Signed integrity pact.`,
    issuedBy: msg`Department form, you sign`,
    mistakes: [msg`witness missing`],
  },
  work_programme: {
    what: msg`Month-by-month programme and method.`,
    issuedBy: msg`You`,
    mistakes: [msg`does not fit the completion period`],
  },
  see_tender_document: {
    what: msg`The portal line does not name the document; the list is in the NIT / bid document.`,
    issuedBy: msg`See the tender document`,
    mistakes: [msg`bidders upload only what the portal line names and miss the list inside the NIT`],
  },
};
