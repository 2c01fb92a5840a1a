/** What the page of a tender says to search engines and link previews. */
import { closingText } from '@nivida/contract/closing';
import { emdText, formatDateTime, formatRupees, shorten } from '@nivida/contract/format';
import type { Tender } from '@nivida/contract/tender';
import type { PageHead } from '../http/page-head.ts';

const LONGEST_TITLE = 120;

/** Head of `/tenders/{id}`. Demonstration tenders are kept out of search engines. */
export function tenderHead(tender: Tender, origin: string): PageHead {
  const canonical = `${origin}/tenders/${tender._id}`;
  return {
    status: 200,
    title: shorten(tender.title, LONGEST_TITLE),
    description: describe(tender),
    canonical,
    jsonLd: facts(tender, canonical),
    isPrivate: tender.demonstration,
  };
}

function describe(tender: Tender): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const place = [tender.district, tender.state].filter(Boolean).join(', ');
  const price = tender.price === null ? 'Estimate not published' : `Estimate ${formatRupees(tender.price)}`;
  const kind = tender.demonstration ? 'Demonstration, not a real tender. ' : '';
  return `${kind}Closes ${closing}. ${tender.org_name}, ${place}. ${price}, EMD ${emdText(tender.emd)}. Checked with ${tender.source_portal} on ${formatDateTime(tender.fetched_at)}.`;
}

/** schema.org: a page whose subject is a demand, which is what a tender is: someone's wish to acquire works or goods. */
function facts(tender: Tender, canonical: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    '@id': canonical,
    url: canonical,
    name: tender.title,
    inLanguage: 'en-IN',
    dateModified: tender.updated_at,
    about: { '@type': 'GovernmentOrganization', name: tender.org_name },
    mainEntity: {
      '@type': 'Demand',
      name: tender.title,
      description: tender.description,
      identifier: { '@type': 'PropertyValue', propertyID: tender.source_portal, value: tender.source_tender_id },
      validFrom: tender.published_date,
      validThrough: tender.closing_date,
      availabilityEnds: tender.closing_date,
      areaServed: { '@type': 'AdministrativeArea', name: tender.district ?? tender.state },
      itemOffered: { '@type': tender.category === 'Goods' ? 'Product' : 'Service', name: tender.title },
      ...(tender.price !== null && {
        priceSpecification: { '@type': 'PriceSpecification', price: tender.price, priceCurrency: 'INR' },
      }),
    },
  };
}
