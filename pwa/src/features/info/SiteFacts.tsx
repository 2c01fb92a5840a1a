/**
 * The operator's settings, used in legal texts. Where a setting is missing, the text links to the contact
 * form.
 */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { type Site, useSite } from '../../data/server/site.ts';

function MailLink({ address }: { address: string | null }) {
  return address ? <a href={`mailto:${address}`}>{address}</a> : <Link to="/contact">{t`our contact form`}</Link>;
}

/** One of the three mail addresses of SPEC, as a link. */
export function SiteMailLink({ to }: { to: 'supportEmail' | 'privacyEmail' | 'dpoEmail' }) {
  return <MailLink address={useSite()[to]} />;
}

const isOperatorConfigured = ({ legalName, legalAddress, supportPhone }: Site) =>
  legalName !== null || legalAddress !== null || supportPhone !== null;

/** The operator's legal name, address and telephone number, where they are configured. */
export function OperatorDetails() {
  const site = useSite();
  return (
    <>
      <p>
        <Trans>“We” is {{ operator: site.legalName ?? t`the operator of this site` }}.</Trans>
      </p>
      {isOperatorConfigured(site) && (
        <dl>
          {site.legalAddress && (
            <>
              <dt>{t`Address`}</dt>
              <dd>{site.legalAddress}</dd>
            </>
          )}
          {site.supportPhone && (
            <>
              <dt>{t`Telephone`}</dt>
              <dd>
                <a href={`tel:${site.supportPhone.replace(/[^\d+]/g, '')}`}>{site.supportPhone}</a>
              </dd>
            </>
          )}
        </dl>
      )}
    </>
  );
}

/** The grievance officer, and how complaints are handled (E-Commerce Rules 2020). */
export function GrievanceOfficer() {
  const { grievanceName, grievanceEmail } = useSite();
  return (
    <>
      <p>
        {grievanceName ? (
          <Trans>
            Complaints go to our grievance officer, {grievanceName}: <MailLink address={grievanceEmail} />. Please say
            what happened, when, and the number of the order if there is one.
          </Trans>
        ) : (
          <Trans>
            Complaints go to our grievance officer: <MailLink address={grievanceEmail} />. Please say what happened,
            when, and the number of the order if there is one.
          </Trans>
        )}
      </p>
      <p>
        <Trans>A complaint is acknowledged within 48 hours and settled within one month of its receipt.</Trans>
      </p>
    </>
  );
}
