/** Metadata of a tender's page for search engines and link previews. */

import { t } from '@lingui/core/macro';
import { districtsText, formatDateTime, formatRupees, truncateText } from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES } from '@nivida/contract/languages';
import { placeName } from '@nivida/contract/regions/states';
import { closingText } from '@nivida/contract/tenders/closing';
import { missingEstimate, tenderAmount } from '@nivida/contract/tenders/missing-value';
import type { Tender } from '@nivida/contract/tenders/tender';
import { addressIn, type PageMetadata } from '../http/html/page-metadata.ts';

const MAX_TITLE_CHARACTERS = 120;
/** WhatsApp shows two lines of a title. */
const MAX_PREVIEW_TITLE_CHARACTERS = 65;

/** Head of `/tenders/{id}`. Search engines must not list demonstration tenders. */
export function tenderPageMetadata(tender: Tender, origin: string): PageMetadata {
  const canonical = `${origin}/tenders/${tender._id}`;
  return {
    status: 200,
    title: truncateText(tender.title, MAX_TITLE_CHARACTERS),
    description: tenderDescription(tender),
    preview: {
      title: truncateText(tender.title, MAX_PREVIEW_TITLE_CHARACTERS),
      description: previewDescription(tender),
    },
    canonical,
    jsonLd: structuredData(tender, addressIn(currentLanguage(), canonical, origin)),
    isNoIndex: tender.demonstration,
  };
}

function tenderDescription(tender: Tender): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const place = [districtsText(tender), placeName(tender.state)].filter(Boolean).join(', ');
  const price = tender.price === null ? missingEstimate(tender) : t`Estimate ${formatRupees(tender.price)}`;
  const emd = tenderAmount(tender.emd, tender);
  const checkedOn = formatDateTime(tender.fetched_at);
  const { org_name: office, source_portal: portal } = tender;
  const kind = tender.demonstration ? t`Demonstration, not a real tender.` : '';
  const facts = t`Closes ${closing}. ${office}, ${place}. ${price}, EMD ${emd}. Checked with ${portal} on ${checkedOn}.`;
  return `${kind} ${facts}`.trim();
}

/** Closing and value come first, because WhatsApp shows only about 80 characters. */
function previewDescription(tender: Tender): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  const price = tender.price === null ? missingEstimate(tender) : formatRupees(tender.price);
  const facts = [
    t`Closes ${closing}`,
    price,
    t`EMD ${{ amount: tenderAmount(tender.emd, tender) }}`,
    districtsText(tender) ?? placeName(tender.state),
    tender.org_name,
  ];
  return [...(tender.demonstration ? [t`Demonstration`] : []), ...facts].join(' · ');
}

/** schema.org data: a page about a demand for works or goods, which a tender is. */
function structuredData(tender: Tender, address: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    '@id': address,
    url: address,
    name: tender.title,
    inLanguage: LANGUAGES[currentLanguage()].locale,
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
      areaServed: { '@type': 'AdministrativeArea', name: districtsText(tender) ?? placeName(tender.state) },
      itemOffered: { '@type': tender.category === 'Goods' ? 'Product' : 'Service', name: tender.title },
      ...(tender.price !== null && {
        priceSpecification: { '@type': 'PriceSpecification', price: tender.price, priceCurrency: 'INR' },
      }),
    },
  };
}
