import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { districtsText, formatDateTime } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Link, useLocation } from 'react-router-dom';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { DepartmentName } from './DepartmentName.tsx';
import { ExplainedText } from './facts/ExplainedText.tsx';
import { Fact, FactList } from './facts/FactList.tsx';
import { TenderFacts } from './facts/TenderFacts.tsx';
import { TenderTerm } from './facts/TenderTerm.tsx';
import { placesText } from './labels.ts';
import css from './TenderView.module.css';

/** The work, its authority and its source. Facts that the portal does not give are left out. */
export function Overview({ tender }: { tender: Tender }) {
  const category = [tender.category, tender.sub_category]
    .flatMap((value) => (value ? portalValueLabel(value) : []))
    .join(', ');
  const place = () => [tender.place, tender.address, districtsText(tender), placeName(tender.state), tender.pincode];
  const { organisation_chain: chain } = tender;
  const organisation = (chain.length > 0 ? chain : [tender.org_name]).join(' › ');
  return (
    <FactList>
      {tender.description && tender.description !== tender.title && (
        <Fact name={t`Work`} look="text">
          <ExplainedText>{tender.description}</ExplainedText>
        </Fact>
      )}
      {category && <Fact name={t`Category`}>{category}</Fact>}
      <TenderFacts tender={tender} group="work" />
      {tender.department && (
        <Fact name={t`Department`}>
          <DepartmentName name={tender.department} />
        </Fact>
      )}
      <NitReference tender={tender} />
      <Fact name={t`Organisation`} look="full">
        <span lang={langOf(organisation)}>{organisation}</span>
      </Fact>
      <Fact name={t`Place`} look="full">
        {placesText(place)}
      </Fact>
      <TenderSource tender={tender} />
    </FactList>
  );
}

/** If a NIT has more other works, they are folded. */
const MAX_OPEN_SIBLINGS = 5;

/** The NIT's reference and its other works. */
function NitReference({ tender }: { tender: Tender }) {
  const { state } = useLocation();
  const { nit_siblings: siblings } = tender;
  if (tender.reference_number === null && siblings.length === 0) return null;
  const list = (
    <ul className={css.siblings}>
      {siblings.map((sibling) => (
        <li key={sibling._id}>
          <Link to={`/tenders/${sibling._id}`} state={state}>
            <span className="clamp" lang={langOf(sibling.title)}>
              {sibling.title}
            </span>
            <small>{sibling.source_tender_id}</small>
          </Link>
        </li>
      ))}
    </ul>
  );
  return (
    <Fact name={<TenderTerm form="NIT" word="nit" />} look="full">
      {tender.reference_number ?? t`Not specified`}
      {tender.nit_works > 1 && <p className="s">{t`${tender.nit_works} works in this NIT`}</p>}
      {siblings.length > MAX_OPEN_SIBLINGS ? (
        <Disclosure title={t`Show the ${siblings.length} other works`}>{list}</Disclosure>
      ) : (
        siblings.length > 0 && list
      )}
    </Fact>
  );
}

/** The portal of the tender and the age of our data. */
function TenderSource({ tender }: { tender: Tender }) {
  const portal = portalInfo(tender.source_portal);
  const others = tender.other_sources.map((source) => portalInfo(source.portal).name);
  const report = `/contact?subject=${encodeURIComponent(t`Error in tender ${tender.source_tender_id}`)}`;
  return (
    <Fact name={t`Source`} look="full">
      {portal.name} · {tender.source_tender_id}
      {others.length > 0 && <p>{t`Also at ${others.join(', ')}`}</p>}
      {tender.demonstration ? (
        <p className="xs muted">{t`Demonstration: a sample tender, not real dates. The portal does not have it.`}</p>
      ) : (
        <p className="xs muted">
          {portal.address ? (
            <Trans>
              <a href={portal.address}>Open the portal</a>: search the tender ID there.
            </Trans>
          ) : (
            t`At the portal: search the tender ID there.`
          )}
        </p>
      )}
      <p className="xs muted">
        <Trans>
          Fetched at {formatDateTime(tender.fetched_at)}. This is not a government site.{' '}
          <Link to={report}>Report an error</Link>
        </Trans>
      </p>
    </Fact>
  );
}
