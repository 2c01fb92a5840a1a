/** The privacy policy in force. Change it whenever the product handles data differently. */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import type { LegalSection } from './LegalPage.tsx';
import { GrievanceOfficer, OperatorDetails, SiteMailLink } from './SiteFacts.tsx';

/** The date of this version. */
export const PRIVACY_DATE = '2026-11-23';

export const privacySections = (): readonly LegalSection[] => [
  {
    id: 'who',
    title: t`Who is responsible`,
    body: (
      <>
        <OperatorDetails />
        <p>
          <Trans>
            Nivida is not a government site. It shows notices that government portals have published, and it decides
            alone what happens with the data described here: it is the data fiduciary of the Digital Personal Data
            Protection Act 2023 (DPDP Act).
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'collected',
    title: t`What we collect`,
    body: (
      <>
        <p>
          <Trans>
            You can search, read and keep tenders without giving us your name. What we hold depends on what you do:
          </Trans>
        </p>
        <ul>
          <li>
            <Trans>
              <strong>Any visit.</strong> Our server notes the time, the address that was asked for, the IP address and
              the name of the browser in its logs.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>An account.</strong> Name, e-mail and mobile number; the name and type of the company; its state,
              districts and departments; an address if you give one. Of your password we keep a value from which it
              cannot be read back. We note which version of the terms you accepted, and when, and with which browsers
              you are signed in.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>What you keep while signed in.</strong> Bookmarks, saved searches, followed offices and alert
              settings, so that your other devices have them too. Also your bids, the marks of checklists, deposits,
              letters, names and dates of documents, enlistments, works and turnover; no other user sees them. The rules
              of “May I bid?” run on the device.
            </Trans>
          </li>
          <Sold>
            <li>
              <Trans>
                <strong>A purchase.</strong> Name, e-mail, mobile number, state, a GSTIN if you give one, what you
                bought, its price, and whether it was paid.
              </Trans>
            </li>
          </Sold>
          <li>
            <Trans>
              <strong>A message.</strong> What you write in the contact form, so that we can answer.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Notifications.</strong> The address at which your browser’s push service reaches this device, its
              keys, the alerts you chose, and the list of your notices. On a signed-out device also the tenders
              bookmarked there. Of a tap on a notification only that there was one.
            </Trans>
          </li>
        </ul>
        <p>
          <Trans>
            There is no advertising, no measuring of visitors by others, and no profile of you that is passed on.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'device',
    title: t`What stays on your device`,
    body: (
      <>
        <p>
          <Trans>
            Nivida works without a connection because it keeps things on your phone or computer: the session, your
            bookmarks, the tenders of the state you saved, recent searches, the last filter of each state, and the app
            itself. Most of it never leaves the device. The <Link to="/cookies">cookie policy</Link> names each entry
            and how to remove it.
          </Trans>
        </p>
        <p>
          <Trans>
            If you speak a search instead of typing it, your browser turns the speech into text; some browsers send the
            speech to their maker for this. Nivida receives only the text.
          </Trans>
        </p>
        <p>
          <Trans>
            Signing out removes the bookmarks of your account from the device. On a phone that others use, sign out and
            remove the saved state under “On this phone”.
          </Trans>
        </p>
        <p>
          <Trans>
            Without an account, your bids, the marks of your checklists, deposits, letters, names and dates of
            documents, and the enlistments, works and turnover that you enter under “May I bid?” are only on the device.
            A sign-in adds them to your account. A sign-out removes all this from the device, except what was not sent
            yet: it waits for your next sign-in and is shown to you only.
          </Trans>
        </p>
        <p>
          <Trans>Partners of joint bids and their figures are only on the device, also while you are signed in.</Trans>
        </p>
        <p>
          <Trans>
            The photos and PDFs in your document vault are only on the device, unless you switch on their backup to your
            account. The copies there are encrypted with a key of your account and deleted when you switch the backup
            off or your account is erased. A photo is stored smaller, without the place and time that a camera writes
            into it. After a sign-out they stay for your next sign-in, are shown to you only, and can be deleted by the
            message that names them. Deleting the account on that device removes them.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'purposes',
    title: t`What we use it for`,
    body: (
      <ul>
        <li>
          <Trans>to run your account and keep your devices alike: with your consent, given at registration</Trans>
        </li>
        <li>
          <Trans>to send reminders, changes and new matches: with your consent, given when you switch them on</Trans>
        </li>
        <Sold>
          <li>
            <Trans>
              to deliver what you bought, and to write the receipt or invoice: because you ordered it and the law asks
            </Trans>
          </li>
        </Sold>
        <li>{t`to answer messages: because you asked`}</li>
        <li>
          <Trans>to keep the service safe, find faults and stop abuse: as the law allows and in part demands</Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'push',
    title: t`Notifications`,
    body: (
      <p>
        <Trans>
          Notifications come only after you have allowed them in the browser. They travel through the push service of
          the browser’s maker. Their content is encrypted for your device: the push service sees that something was
          sent, how large it was and when, not what it says. It also learns how urgent it is, how long it is worth
          anything, and a short topic by which a later one takes its place. Switch them off at any time in Nivida, under
          “On this phone”, or in the browser; we then delete the device’s address. Where the browser does not allow
          them, they come to the e-mail address of your account if you ask for it.
        </Trans>
      </p>
    ),
  },
  {
    id: 'payments',
    isAboutSales: true,
    title: t`Payments`,
    body: (
      <p>
        <Trans>
          You pay on the page of a payment provider. Card numbers, UPI ids and bank details are typed there and never
          reach us. We learn whether an order was paid, how much, and the provider’s number for it.
        </Trans>
      </p>
    ),
  },
  {
    id: 'others',
    title: t`Who else handles data`,
    body: (
      <>
        <p>
          <Trans>We do not sell personal data. Those who work for us get what their task needs and nothing else:</Trans>
        </p>
        <ul>
          <li>{t`the companies on whose machines the service runs`}</li>
          <li>{t`the mail service that delivers our e-mails`}</li>
          <Sold>
            <li>{t`the payment provider, for the amount, the order and your contact details`}</li>
          </Sold>
          <li>{t`the push service of your browser’s maker, for encrypted notifications`}</li>
        </ul>
        <p>
          <Trans>
            If signing in with Google is offered and you choose it, Google tells us your name, your e-mail address and
            the number of your Google account. Authorities get data where a law obliges us to give them.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'retention',
    title: t`How long we keep it`,
    body: (
      <ul>
        <li>{t`Server logs: 1 year, as the rules under the DPDP Act ask.`}</li>
        <li>
          <Trans>
            Your account with bookmarks, searches and bids: until you delete it. It is erased 7 days after you ask. What
            you delete among your bids: 90 days, so that your other devices delete it too.
          </Trans>
        </li>
        <li>{t`Sessions: 12 hours; with “Remember me” 30 days from the last use, at most 180 days.`}</li>
        <Sold>
          <li>
            <Trans>
              Receipts, invoices and the orders behind them: as long as tax law demands, also after an account is
              erased.
            </Trans>
          </li>
        </Sold>
        <li>
          <Trans>
            Addresses for notifications: until you switch them off, sign out on that device, or the browser withdraws
            them.
          </Trans>
        </li>
        <Sold>
          <li>
            <Trans>
              A one-way mark of your mobile number and e-mail address, also after your account is erased, so that the
              trial is taken once.
            </Trans>
          </li>
        </Sold>
        <li>{t`Your notices: at most 95 days.`}</li>
        <li>{t`Messages: as long as the matter needs.`}</li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: t`Your rights`,
    body: (
      <>
        <p>{t`Under the DPDP Act you may`}</p>
        <ul>
          <li>{t`have a summary of your data and of who received it, and download it,`}</li>
          <li>{t`have it corrected, completed, updated or erased,`}</li>
          <li>{t`withdraw a consent as easily as you gave it; what was done before stays lawful,`}</li>
          <li>{t`name a person who uses these rights if you die or cannot,`}</li>
          <li>
            <Trans>
              complain to our grievance officer and, if that does not help, to the Data Protection Board of India.
            </Trans>
          </li>
        </ul>
        <p>
          <Trans>
            Signed in, Settings lets you download your data and delete the account, Profile lets you correct it. For the
            rest write to <SiteMailLink to="privacyEmail" />. The <Link to="/gdpr">data protection page</Link> has the
            details, a notice in Hindi, and the rights of people in the European Union.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'age',
    title: t`Age`,
    body: (
      <p>
        <Trans>
          Accounts are for people of 18 years and over. We erase an account when we learn that its owner is younger.
        </Trans>
      </p>
    ),
  },
  {
    id: 'tenders',
    title: t`People named in tenders`,
    body: (
      <p>
        <Trans>
          Portals sometimes write officials’ names into a notice. We keep the designation, such as “Executive Engineer”,
          and leave out names where the portal has a field for them. If a text still names you, tell us and we remove
          it.
        </Trans>
      </p>
    ),
  },
  {
    id: 'safety',
    title: t`Safety`,
    body: (
      <p>
        <Trans>
          Connections are encrypted, access is limited, and sessions can be ended one by one. Should data get into the
          wrong hands, we tell those concerned and the Data Protection Board without delay, with what happened and what
          to do.
        </Trans>
      </p>
    ),
  },
  {
    id: 'changes',
    title: t`Changes`,
    body: (
      <p>
        <Trans>
          A new version gets a new date here. Where it would use your data for something new, we ask for your consent
          first.
        </Trans>
      </p>
    ),
  },
  { id: 'grievance', title: t`Complaints and contact`, body: <GrievanceOfficer /> },
];
