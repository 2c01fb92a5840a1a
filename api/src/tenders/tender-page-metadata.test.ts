import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { expect, test } from 'vitest';
import { tenderPageMetadata } from './tender-page-metadata.ts';

const ORIGIN = 'https://nivida.example';
const LONG_TITLE = 'Construction of a retaining wall along the road to the village of Kufri and of its drain '.repeat(
  2,
);

test('the head of a tender has its closing, place, price and source', () => {
  const tender = testTenderDetail({
    _id: '17',
    description: 'Metalling, with drains',
    published_date: '2026-04-08T11:50:00.000Z',
    updated_at: '2026-04-11T03:00:00.000Z',
  });
  expect(tenderPageMetadata(tender, ORIGIN)).toEqual({
    status: 200,
    title: 'Metalling of a village road',
    description:
      'Closes 15 Apr 2026, 11:00 AM. PWD, Solan, Himachal Pradesh. Estimate ₹11.75 Lakh, EMD ₹23,500.00. Checked with hptenders on 15 Apr 2026, 10:30 AM.',
    preview: {
      title: 'Metalling of a village road',
      description: 'Closes 15 Apr 2026, 11:00 AM · ₹11.75 Lakh · EMD ₹23,500.00 · Solan · PWD',
    },
    canonical: 'https://nivida.example/tenders/17',
    isNoIndex: false,
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      '@id': 'https://nivida.example/tenders/17',
      url: 'https://nivida.example/tenders/17',
      name: 'Metalling of a village road',
      inLanguage: 'en-IN',
      dateModified: '2026-04-11T03:00:00.000Z',
      about: { '@type': 'GovernmentOrganization', name: 'PWD' },
      mainEntity: {
        '@type': 'Demand',
        name: 'Metalling of a village road',
        description: 'Metalling, with drains',
        identifier: { '@type': 'PropertyValue', propertyID: 'hptenders', value: '2026_PWD_100001_1' },
        validFrom: '2026-04-08T11:50:00.000Z',
        validThrough: '2026-04-15T05:30:00.000Z',
        availabilityEnds: '2026-04-15T05:30:00.000Z',
        areaServed: { '@type': 'AdministrativeArea', name: 'Solan' },
        itemOffered: { '@type': 'Service', name: 'Metalling of a village road' },
        priceSpecification: { '@type': 'PriceSpecification', price: 1_175_000, priceCurrency: 'INR' },
      },
    },
  });
});

test('a work in two districts names both', () => {
  const { description, preview, jsonLd } = tenderPageMetadata(testTenderDetail({ second_district: 'Sirmaur' }), ORIGIN);
  expect(description).toContain('PWD, Solan and Sirmaur, Himachal Pradesh.');
  expect(preview?.description).toContain(' · Solan and Sirmaur · PWD');
  expect(jsonLd).toMatchObject({ mainEntity: { areaServed: { name: 'Solan and Sirmaur' } } });
});

test('what the portal does not say is not invented, and a demonstration is named as one', () => {
  const tender = testTenderDetail({
    ...{ title: LONG_TITLE, district: null, price: null, emd: null, category: 'Goods', demonstration: true },
    closing_time_known: false,
  });
  const head = tenderPageMetadata(tender, ORIGIN);
  expect(head).toMatchObject({
    title:
      'Construction of a retaining wall along the road to the village of Kufri and of its drain Construction of a retaining…',
    description:
      'Demonstration, not a real tender. Closes 15 Apr 2026, time not stated. PWD, Himachal Pradesh. Estimate not published, EMD Not specified. Checked with hptenders on 15 Apr 2026, 10:30 AM.',
    preview: {
      title: 'Construction of a retaining wall along the road to the village…',
      description:
        'Demonstration · Closes 15 Apr 2026, time not stated · Estimate not published · EMD Not specified · Himachal Pradesh · PWD',
    },
    isNoIndex: true,
    jsonLd: {
      name: LONG_TITLE,
      mainEntity: { areaServed: { name: 'Himachal Pradesh' }, itemOffered: { '@type': 'Product', name: LONG_TITLE } },
    },
  });
  expect((head.jsonLd as { mainEntity: object }).mainEntity).not.toHaveProperty('priceSpecification');
});
