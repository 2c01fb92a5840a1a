/** The privacy policy in force. Change it whenever the product handles data differently. */
import { Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import type { LegalSection } from './LegalPage.tsx';
import { GrievanceOfficer, OperatorDetails, SiteMailLink } from './SiteFacts.tsx';

/** The date of this version. */
export const PRIVACY_DATE = '2026-11-23';

export const PRIVACY_SECTIONS: readonly LegalSection[] = [
  {
    id: 'who',
    title: 'Who is responsible',
    body: (
      <>
        <OperatorDetails />
        <p>
          Nivida is not a government site. It shows notices that government portals have published, and it decides alone
          what happens with the data described here: it is the data fiduciary of the Digital Personal Data Protection
          Act 2023 (DPDP Act).
        </p>
      </>
    ),
  },
  {
    id: 'collected',
    title: 'What we collect',
    body: (
      <>
        <p>You can search, read and keep tenders without giving us your name. What we hold depends on what you do:</p>
        <ul>
          <li>
            <strong>Any visit.</strong> Our server notes the time, the address that was asked for, the IP address and
            the name of the browser in its logs.
          </li>
          <li>
            <strong>An account.</strong> Name, e-mail and mobile number; the name and type of the company; its state,
            districts and departments; an address if you give one. Of your password we keep a value from which it cannot
            be read back. We note which version of the terms you accepted, and when, and with which browsers you are
            signed in.
          </li>
          <li>
            <strong>What you keep while signed in.</strong> Bookmarks, saved searches, followed offices and alert
            settings, so that your other devices have them too. Also your bids, the marks of checklists, deposits, names
            and dates of documents, enlistments, works and turnover; no other user sees them. The rules of “May I bid?”
            run on the device.
          </li>
          <Sold>
            <li>
              <strong>A purchase.</strong> Name, e-mail, mobile number, state, a GSTIN if you give one, what you bought,
              its price, and whether it was paid.
            </li>
          </Sold>
          <li>
            <strong>A message.</strong> What you write in the contact form, so that we can answer.
          </li>
          <li>
            <strong>Notifications.</strong> The address at which your browser’s push service reaches this device, its
            keys, the alerts you chose, and the list of your notices. On a signed-out device also the tenders bookmarked
            there. Of a tap on a notification only that there was one.
          </li>
        </ul>
        <p>There is no advertising, no measuring of visitors by others, and no profile of you that is passed on.</p>
      </>
    ),
  },
  {
    id: 'device',
    title: 'What stays on your device',
    body: (
      <>
        <p>
          Nivida works without a connection because it keeps things on your phone or computer: the session, your
          bookmarks, the tenders of the state you saved, recent searches, the last filter of each state, and the app
          itself. Most of it never leaves the device. The <Link to="/cookies">cookie policy</Link> names each entry and
          how to remove it.
        </p>
        <p>
          If you speak a search instead of typing it, your browser turns the speech into text; some browsers send the
          speech to their maker for this. Nivida receives only the text.
        </p>
        <p>
          Signing out removes the bookmarks of your account from the device. On a phone that others use, sign out and
          remove the saved state under “On this phone”.
        </p>
        <p>
          Without an account, your bids, the marks of your checklists, deposits, names and dates of documents, and the
          enlistments, works and turnover that you enter under “May I bid?” are only on the device. A sign-in adds them
          to your account. A sign-out removes all this from the device, except what was not sent yet: it waits for your
          next sign-in and is shown to you only.
        </p>
        <p>
          The photos and PDFs in your document vault are only on the device, unless you switch on their backup to your
          account. The copies there are encrypted with a key of your account and deleted when you switch the backup off
          or your account is erased. A photo is stored smaller, without the place and time that a camera writes into it.
          After a sign-out they stay for your next sign-in, are shown to you only, and can be deleted by the message
          that names them. Deleting the account on that device removes them.
        </p>
      </>
    ),
  },
  {
    id: 'purposes',
    title: 'What we use it for',
    body: (
      <ul>
        <li>to run your account and keep your devices alike: with your consent, given at registration</li>
        <li>to send reminders, changes and new matches: with your consent, given when you switch them on</li>
        <Sold>
          <li>
            to deliver what you bought, and to write the receipt or invoice: because you ordered it and the law asks
          </li>
        </Sold>
        <li>to answer messages: because you asked</li>
        <li>to keep the service safe, find faults and stop abuse: as the law allows and in part demands</li>
      </ul>
    ),
  },
  {
    id: 'push',
    title: 'Notifications',
    body: (
      <p>
        Notifications come only after you have allowed them in the browser. They travel through the push service of the
        browser’s maker. Their content is encrypted for your device: the push service sees that something was sent, how
        large it was and when, not what it says. It also learns how urgent it is, how long it is worth anything, and a
        short topic by which a later one takes its place. Switch them off at any time in Nivida, under “On this phone”,
        or in the browser; we then delete the device’s address. Where the browser does not allow them, they come to the
        e-mail address of your account if you ask for it.
      </p>
    ),
  },
  {
    id: 'payments',
    isAboutSales: true,
    title: 'Payments',
    body: (
      <p>
        You pay on the page of a payment provider. Card numbers, UPI ids and bank details are typed there and never
        reach us. We learn whether an order was paid, how much, and the provider’s number for it.
      </p>
    ),
  },
  {
    id: 'others',
    title: 'Who else handles data',
    body: (
      <>
        <p>We do not sell personal data. Those who work for us get what their task needs and nothing else:</p>
        <ul>
          <li>the companies on whose machines the service runs</li>
          <li>the mail service that delivers our e-mails</li>
          <Sold>
            <li>the payment provider, for the amount, the order and your contact details</li>
          </Sold>
          <li>the push service of your browser’s maker, for encrypted notifications</li>
        </ul>
        <p>
          If signing in with Google is offered and you choose it, Google tells us your name and e-mail address.
          Authorities get data where a law obliges us to give them.
        </p>
      </>
    ),
  },
  {
    id: 'retention',
    title: 'How long we keep it',
    body: (
      <ul>
        <li>Server logs: 1 year, as the rules under the DPDP Act ask.</li>
        <li>
          Your account with bookmarks, searches and bids: until you delete it. It is erased 7 days after you ask. What
          you delete among your bids: 90 days, so that your other devices delete it too.
        </li>
        <li>Sessions: 12 hours; with “Remember me” 30 days from the last use, at most 180 days.</li>
        <Sold>
          <li>
            Receipts, invoices and the orders behind them: as long as tax law demands, also after an account is erased.
          </li>
        </Sold>
        <li>
          Addresses for notifications: until you switch them off, sign out on that device, or the browser withdraws
          them.
        </li>
        <Sold>
          <li>
            A one-way mark of your mobile number and e-mail address, also after your account is erased, so that the
            trial is taken once.
          </li>
        </Sold>
        <li>Your notices: 60 days.</li>
        <li>Messages: as long as the matter needs.</li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>Under the DPDP Act you may</p>
        <ul>
          <li>have a summary of your data and of who received it, and download it,</li>
          <li>have it corrected, completed, updated or erased,</li>
          <li>withdraw a consent as easily as you gave it; what was done before stays lawful,</li>
          <li>name a person who uses these rights if you die or cannot,</li>
          <li>complain to our grievance officer and, if that does not help, to the Data Protection Board of India.</li>
        </ul>
        <p>
          Signed in, Settings lets you download your data and delete the account, Profile lets you correct it. For the
          rest write to <SiteMailLink to="privacyEmail" />. The <Link to="/gdpr">data protection page</Link> has the
          details, a notice in Hindi, and the rights of people in the European Union.
        </p>
      </>
    ),
  },
  {
    id: 'age',
    title: 'Age',
    body: (
      <p>Accounts are for people of 18 years and over. We erase an account when we learn that its owner is younger.</p>
    ),
  },
  {
    id: 'tenders',
    title: 'People named in tenders',
    body: (
      <p>
        Portals sometimes write officials’ names into a notice. We keep the designation, such as “Executive Engineer”,
        and leave out names where the portal has a field for them. If a text still names you, tell us and we remove it.
      </p>
    ),
  },
  {
    id: 'safety',
    title: 'Safety',
    body: (
      <p>
        Connections are encrypted, access is limited, and sessions can be ended one by one. Should data get into the
        wrong hands, we tell those concerned and the Data Protection Board without delay, with what happened and what to
        do.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        A new version gets a new date here. Where it would use your data for something new, we ask for your consent
        first.
      </p>
    ),
  },
  { id: 'grievance', title: 'Complaints and contact', body: <GrievanceOfficer /> },
];
