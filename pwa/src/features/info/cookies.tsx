/**
 * The cookie policy. It lists everything that the app stores, by name: change it whenever the stored data
 * changes.
 */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import type { LegalSection } from './LegalPage.tsx';
import { SiteMailLink } from './SiteFacts.tsx';

/** The date of this version. */
export const COOKIES_DATE = '2026-11-29';

export const cookieSections = (): readonly LegalSection[] => [
  {
    id: 'cookie',
    title: t`The two cookies`,
    body: (
      <>
        <dl>
          <dt>
            <code>otp_ctx</code>
          </dt>
          <dd>
            <Trans>
              Set only when you ask for a code to verify your e-mail address. It makes sure that the browser which types
              the code is the one that asked for it. It lasts 40 minutes.
            </Trans>
          </dd>
          <dt>
            <code>device</code>
          </dt>
          <dd>
            <Trans>
              Set when this browser first sends something: a request for a code, a message, a sign-in. We count its
              requests by it, so that others who use the same network do not shut you out. After you sign in it marks
              this browser as one of your account, so that wrong passwords which others try elsewhere do not lock you
              out here. It holds a time and a random number and opens nothing by itself. It lasts 180 days from the last
              sign-in, also after you sign out.
            </Trans>
          </dd>
        </dl>
        <p>
          <Trans>
            Both are sent to this site alone, and no script can read them. Over https their names begin with{' '}
            <code>__Host-</code>.
          </Trans>
        </p>
        <p>
          <Trans>
            There are no cookies for advertising or for measuring visitors, and none of other companies. As these two
            are needed for what you ask, no banner asks you about them. If signing in with Google is offered and you
            choose it, Google may use cookies of its own.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'storage',
    title: t`What your browser keeps for us`,
    body: (
      <>
        <p>
          <Trans>These entries are no cookies: they stay on the device and are not sent along with each request.</Trans>
        </p>
        <dl>
          <dt>
            <Trans>
              <code>token</code> and <code>user</code>
            </Trans>
          </dt>
          <dd>
            <Trans>
              Your session, and your name, e-mail and mobile number, while you are signed in. Removed when you sign out.
              The token is sent with calls, so that the server knows you.
            </Trans>
          </dd>
          <dt>
            <code>bookmarkedTenders</code>
          </dt>
          <dd>
            <Trans>
              The numbers of the tenders you bookmarked on this device. A bookmark, a saved search or a mark of a
              checklist that you have just pressed is recorded under <code>unsaved-bookmark</code>,{' '}
              <code>unsaved-search</code> or <code>unsaved-check</code> until the app’s database has it.
            </Trans>
          </dd>
          <dt>
            <Trans>
              <code>packs</code>, <code>site</code>, <code>homeState</code> and <code>tour</code>
            </Trans>
          </dt>
          <dd>
            <Trans>
              Which state is saved here, the contact addresses of this site, the state you chose on the home page, and
              whether the tour was shown, so that they are known without a connection.
            </Trans>
          </dd>
          <dt>
            <Trans>
              <code>home</code>, <code>language of account</code> and <code>language offered</code>
            </Trans>
          </dt>
          <dd>{t`The language that you chose, the one in which your account was last used, and the one that was offered.`}</dd>
          <dt>{t`For as long as a tab is open`}</dt>
          <dd>
            <Trans>
              A registration that you have begun (without the password), a message that you are writing on the contact
              page, <Sold>the number of an order you are paying, </Sold>and whether a page was loaded again after an
              update.
            </Trans>
          </dd>
          <dt>{t`A database of the app (IndexedDB)`}</dt>
          <dd>
            <Trans>
              Tenders of the states you saved and those you opened, bookmarks, saved searches and followed offices and
              what of them is still to be sent, messages to us that wait for a connection, after a sign-out without a
              connection the token that ends the session on our server and the key that removes this device’s alerts
              there, recent searches, the last filter of each state, the marks of your checklists, the documents of your
              vault with their photos and PDFs, what you entered under “May I bid?”,{' '}
              <Sold>orders that are not confirmed yet, </Sold>
              how far the device’s clock is off, and whether you were asked to install the app or to turn on alerts.
              While you are signed in also your state and departments, <Sold>your orders, </Sold>the documents that you
              keep on the phone, and one-time keys by which the browser sends your bookmarks, searches and followed
              offices with the app closed. With alerts: the number and secret by which our server knows this device,
              which alerts it gets and when, the notices with what you have read, changes that came by a push, and taps
              on alerts that are still to be counted.
            </Trans>
          </dd>
          <dt>{t`The app itself`}</dt>
          <dd>{t`Its pages and icons, so that it opens without a connection.`}</dd>
        </dl>
      </>
    ),
  },
  {
    id: 'push',
    title: t`Notifications`,
    body: (
      <p>
        <Trans>
          If you turn on alerts, the browser makes an address for this device at its maker’s push service and we keep
          it, with the alerts you chose; on a signed-out device also the numbers of its bookmarked tenders. Turning
          alerts off deletes both, and so does signing out, on this device. A tap on an alert is counted without noting
          who tapped.
        </Trans>
      </p>
    ),
  },
  {
    id: 'remove',
    title: t`How to remove it`,
    body: (
      <ul>
        <li>{t`Sign out: removes the session and what belongs to your account.`}</li>
        <li>
          <Trans>
            “On this phone” on the page <Link to="/tenders">Find tenders</Link>: removes saved states.
          </Trans>
        </li>
        <li>
          <Trans>
            The browser’s settings for this site, “Clear data”: removes everything. Bookmarks that were made signed out
            are then lost.
          </Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'questions',
    title: t`Questions`,
    body: (
      <p>
        <Trans>
          Write to <SiteMailLink to="privacyEmail" />. What we do with data in general stands in the{' '}
          <Link to="/privacy">privacy policy</Link>.
        </Trans>
      </p>
    ),
  },
];
