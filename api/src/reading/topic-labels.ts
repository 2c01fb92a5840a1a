/** How official documents name the topics. All texts are as `normalised` gives them. */
import type { FactTopic } from '@nivida/contract/documents/document-facts';

export interface TopicLabels {
  /** A line with it may concern the topic. */
  mention: RegExp;
  /** The label of a row, complete. Topics without values have none. */
  label?: string;
  kind?: 'rupees' | 'time';
  /** A line with it concerns another topic. */
  not?: RegExp;
}

const BID = `(?:tender|bid|offer|quotation)`;
const EMD = String.raw`(?:earnest money(?: deposit)?s?|e\.?m\.?d\.?|bid security)`;

export const TOPIC_LABELS: Record<FactTopic, TopicLabels> = {
  emd: {
    mention: /\bearnest\b|\be\.?m\.?d\b|\bbid security\b(?! declaration)/,
    label: String.raw`(?:amount of |total )?${EMD}(?:\s*(?:\(\s*${EMD}\s*\)|/\s*${EMD}))?(?: amount| value)?`,
    kind: 'rupees',
  },
  fee: {
    mention: new RegExp(
      String.raw`\b(?:cost|price|fee) (?:of|for) (?:the )?(?:${BID}|blank|form)\b|\b(?:${BID}|form|document|doc\.?|processing)s?(?: documents?| forms?| processing)? (?:fees?|cost|price)\b`,
    ),
    label: `(?:${BID} (?:documents? |forms? )?(?:fees?|cost)|(?:cost|price) of (?:the )?${BID} (?:documents?|forms?)|cost of forms?)`,
    kind: 'rupees',
    not: /estimated|similar|earnest|security/,
  },
  estimate: {
    mention:
      /\best(?:imated|\.)? (?:cost|amount|value|bid value)\b|\b(?:tender|advertised) value\b|\bamount put to (?:tender|bid)\b|\b(?:approx(?:imate)?\.?|probable) (?:cost|amount|value)\b/,
    label: String.raw`(?:(?:total )?estimated (?:cost|amount|value|project cost)(?: of (?:the )?(?:work|project|tender))?|(?:tender|advertised|estimated bid) value|(?:estimated )?amount put to (?:tender|bid)|approx(?:imate|\.)? (?:estimated )?(?:cost|value)(?: of (?:the )?work)?)`,
    kind: 'rupees',
    not: /similar|turnover|solvency|per ?cent|%/,
  },
  period: {
    mention:
      /\b(?:period|time|duration)\b.{0,30}\b(?:completion|contract|work)\b|\bcompletion (?:period|time)\b|\btime (?:limit|allowed)\b|\bstipulated (?:time|period)\b/,
    label: `(?:(?:stipulated )?(?:period|time|time period) (?:of|for|allowed for|limit for) (?:the )?(?:completion|completing)(?: of (?:the )?(?:work|project|contract))?|completion (?:period|time)|time (?:limit|allowed)|stipulated (?:completion )?(?:period|time)|(?:contract period|period of contract|duration of (?:the )?(?:work|contract)))`,
    kind: 'time',
    not: /defect|maintenance|warranty|guarantee|validity|similar|turnover|extension/,
  },
  validity: {
    mention: new RegExp(
      String.raw`\b(?:${BID}|rate|price)s?(?: ${BID})? validity\b|\bvalid(?:ity)?\b.{0,25}\b(?:${BID}|rate)s?\b|\b(?:${BID}|rate)s?\b.{0,40}\b(?:valid|validity|open for acceptance)\b`,
    ),
    label: `(?:(?:${BID}|price ${BID})s? validity(?: period)?|(?:period of )?validity (?:period )?(?:of|for) (?:the )?(?:${BID}|rate)s?|(?:period of )?validity(?: period)?)`,
    kind: 'time',
    not: /security|guarantee|earnest|\bemd\b|certificate|registration|licen[cs]e|signature/,
  },
  security: {
    mention: /\bperformance (?:security|guarantee|bank guarantee)\b|\bsecurity deposit\b|\be?pbg\b|\bretention money\b/,
  },
  similarWorks: { mention: /\bsimilar (?:nature of |type of )?(?:completed )?works?\b|\bworks? of similar\b/ },
  turnover: { mention: /\bturn\W?over\b/ },
  class: {
    mention:
      /\bclass\b.{0,15}\bcontractors?\b|\b(?:eligib\w+|appropriate|requisite) class\b|\bclass of (?:bidder|registration|enlistment)|\bclass\W{1,3}(?:[a-d]|i{1,3}|iv|v|[1-5])\b(?! cit)|\bcontractors?\b.{0,25}\bclass\b|\bcategory of contractors?\b|\benlist(?:ed|ment)\b/,
  },
  registration: {
    mention:
      /\bregist(?:ered|ration)\b.{0,50}\b(?:contractors?|firm|department|gst|epf|pan|labour)\b|\b(?:gst|epf|esi|labour)\b.{0,20}\bregist/,
  },
  jointVenture: { mention: /\bjoint ventures?\b|\bconsortium\b|\bjv\b/ },
  mse: { mention: /\bmses?\b|\bmsmes?\b|\budyam\b|\bmicro (?:and|&) small\b|\bnsic\b/ },
  priceVariation: { mention: /\bprice (?:variation|adjustment|escalation)\b|\bescalation\b|\bpvc\b/ },
  defectLiability: { mention: /\bdefects? (?:liability|notification)\b|\bdlp\b|\bmaintenance period\b/ },
  preBid: { mention: /\bpre\W?(?:bid|tender)\b/ },
  originals: {
    mention:
      /\b(?:original|physical|hard copy of|hard copies of) (?:emd|e\.m\.d|fdr?|earnest|instrument|affidavit|documents?|demand draft|dd)\b|\bsubmission of (?:the )?(?:originals?|physical|hard)\b|\b(?:original|hard cop(?:y|ies)|physical(?:ly)?)\b.{0,80}\b(?:submit|submitted|submission|deposit|reach|sent|office|send|received)\b|\b(?:submit|submitted|submission|send|sent|deposit)\b.{0,80}\b(?:in original|hard cop(?:y|ies)|physical(?:ly)? form)\b/,
  },
  documents: {
    mention:
      /\bdocuments?\b.{0,40}\b(?:to be (?:submitted|uploaded|enclosed|attached|furnished)|required|establishing)\b|\b(?:scanned cop(?:y|ies)|upload(?:ed)?)\b.{0,60}\b(?:documents?|certificates?)\b|\blist of documents\b/,
  },
};
