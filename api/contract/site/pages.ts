/**
 * The table of pages. It is used by the app's router and navigation, server rendering, preloads, robots.txt, the sitemap and
 * the service worker. `screen` names the page's file in `pwa/src/screens`.
 */
import { inPresentLanguage } from '../i18n.ts';

/** `title` without the product's name, which the page appends; `description` has one or two sentences. */
export interface PageText {
  title: string;
  description: string;
}

/** One page. A page with data may have another `title` and `description`. */
export interface Page extends PageText {
  /** Texts when nothing is sold (R81). */
  free?: PageText;
  /** The screen's file without `.screen.tsx`; the last part is the name of its component. */
  screen?: string;
  /** Instead of a screen: the page to which this address redirects, with the router's state. */
  redirect?: { to: string; state?: object };
  /** Pattern of the parameter in the path. Without it any text is accepted. */
  parameter?: string;
  /**
   * A first visit may begin here, so the server preloads the screen's code. It renders the screen too, unless it is private:
   * a 'static' screen for all visitors, a 'data' screen with the data of the address.
   */
  landing?: 'static' | 'data';
  /** The page shows the visitor's own data. Only the browser can render it, and search engines must not read it. */
  isPrivate?: true;
  /** Signed-out visitors are redirected to the home page. */
  needsSession?: true;
  /** The service worker stores the server-rendered page and, with an update, the screen's code. */
  isStored?: true;
  /** Pages one tap away, whose code is loaded in advance: after the first screen ('shown'), or after the first use of the page ('used'). */
  ahead?: { pages: readonly string[]; when: 'shown' | 'used' };
}

/** Text of pages about prices and payments when nothing is sold (R81). They are then not in the sitemap. */
export const FREE_PAGE_TEXT: PageText = {
  title: /*i18n*/ 'Free here',
  description: /*i18n*/ 'Everything is free here: search, alerts, bids and documents. There is nothing to buy.',
};

/** Text of the page for unknown addresses. */
export const NOT_FOUND_TEXT: PageText = {
  title: /*i18n*/ 'Page not found',
  description: /*i18n*/ 'There is no page at this address.',
};

const HOME_DESCRIPTION =
  /*i18n*/ 'Open government tenders of India by state, district and department, with the closing hour of each.';
const SEARCH_DESCRIPTION =
  /*i18n*/ 'Search open government tenders by words, state, district and department. Free, no account needed.';

const DESK_DESCRIPTION = /*i18n*/ 'For the staff of this installation.';
const OF_DESK = { isPrivate: true, needsSession: true } as const;

/** True for a page of the desk, which is stored nowhere; `path` is without the language. */
export const isDeskPath = (path: string): boolean => /^\/desk(?:\/|$)/.test(path);

/** Pages by path. A part that begins with a colon is a parameter. The order is that of SPEC's table, then other pages. */
export const PAGES = {
  '/': {
    title: /*i18n*/ 'Government tenders in India',
    description: HOME_DESCRIPTION,
    screen: 'home/Home',
    landing: 'static',
    isStored: true,
    ahead: { pages: ['/tenders/results', '/tenders'], when: 'shown' },
  },
  '/register': {
    title: /*i18n*/ 'Create account',
    description: HOME_DESCRIPTION,
    redirect: { to: '/', state: { register: true } },
  },
  '/tenders': {
    title: /*i18n*/ 'Find tenders',
    description: SEARCH_DESCRIPTION,
    screen: 'tenders/TenderSearch',
    landing: 'static',
    isStored: true,
    ahead: { pages: ['/tenders/results', '/tenders'], when: 'shown' },
  },
  '/tenders/results': {
    title: /*i18n*/ 'Open tenders',
    description:
      /*i18n*/ 'Government tenders in India that are open now, with value, EMD and the closing hour of each.',
    screen: 'tenders/TenderResults',
    landing: 'data',
    isStored: true,
    ahead: { pages: ['/tenders/:id'], when: 'shown' },
  },
  '/tenders/:id': {
    title: /*i18n*/ 'Tender',
    description: SEARCH_DESCRIPTION,
    screen: 'tenders/TenderDetail',
    parameter: String.raw`\d+`,
    landing: 'data',
    isStored: true,
    // A visitor who came by a link has not loaded the list of tenders.
    ahead: { pages: ['/tenders/results'], when: 'used' },
  },
  // The rates of a signed-out visitor are on the device.
  '/tenders/:id/boq': {
    title: /*i18n*/ 'Bill of quantities',
    description: /*i18n*/ 'The items of a tender’s BOQ, and what they come to at your rates.',
    screen: 'bids/BoqPage',
    parameter: String.raw`\d+`,
    isPrivate: true,
  },
  '/pricing': {
    title: /*i18n*/ 'Plans and prices',
    description:
      /*i18n*/ 'Three yearly plans for alerts in your states and document downloads. Searching and reading stay free.',
    free: FREE_PAGE_TEXT,
    screen: 'payment/Pricing',
    landing: 'static',
  },
  '/payment-status': {
    title: /*i18n*/ 'Payment status',
    description: /*i18n*/ 'The outcome of a payment made on Nivida.',
    free: FREE_PAGE_TEXT,
    screen: 'payment/PaymentStatus',
    landing: 'static',
    isPrivate: true,
  },
  '/about': {
    title: /*i18n*/ 'About Us',
    description:
      /*i18n*/ 'Why Nivida exists, what it stands for, and what it does for contractors who bid for public works.',
    screen: 'info/About',
    landing: 'static',
  },
  '/contact': {
    title: /*i18n*/ 'Contact',
    description:
      /*i18n*/ 'Ask Nivida about tenders, documents, plans or your account, and read answers to frequent questions.',
    free: {
      title: /*i18n*/ 'Contact',
      description:
        /*i18n*/ 'Ask Nivida about tenders, documents or your account, and read answers to frequent questions.',
    },
    screen: 'info/Contact',
    landing: 'static',
  },
  '/help': {
    title: /*i18n*/ 'Words of tendering',
    description: /*i18n*/ 'EMD, NIT, BOQ, DSC and other words of tenders in plain language.',
    screen: 'help/Help',
    landing: 'static',
  },
  '/status': {
    title: /*i18n*/ 'Status',
    description: /*i18n*/ 'Whether Nivida works now, and incidents of the last 90 days.',
    screen: 'info/SiteStatus',
    landing: 'data',
  },
  '/services': {
    title: /*i18n*/ 'Services',
    description:
      /*i18n*/ 'Tender management, notifications and what comes next for contractors who bid for public works.',
    screen: 'info/Services',
    landing: 'static',
  },
  '/analysis': {
    title: /*i18n*/ 'Competitive Analysis',
    description:
      /*i18n*/ 'Coming soon: who bids in your district, at what price works are awarded, and how you compare.',
    screen: 'info/Analysis',
    landing: 'static',
  },
  '/analysis/offices/:id': {
    title: /*i18n*/ 'Office',
    description: /*i18n*/ 'Bidders, refused bids and award prices of an office.',
    screen: 'awards/OfficeDetail',
    landing: 'data',
  },
  '/analysis/:state': {
    title: /*i18n*/ 'Awarded tenders',
    description: /*i18n*/ 'Bidders, refused bids and award prices of past tenders, by office.',
    screen: 'awards/AwardState',
    landing: 'data',
  },
  '/awards/:id': {
    title: /*i18n*/ 'Award',
    description: /*i18n*/ 'The published result of a government tender: value, bidders and dates.',
    screen: 'awards/AwardDetail',
    landing: 'data',
  },
  '/privacy': {
    title: /*i18n*/ 'Privacy Policy',
    description:
      /*i18n*/ 'What Nivida collects, what stays on your device, for how long, and the rights you have over it.',
    screen: 'info/Privacy',
    landing: 'static',
  },
  '/terms': {
    title: /*i18n*/ 'Terms of Service',
    description: /*i18n*/ 'The rules for using Nivida, its accounts, plans and document packages.',
    free: {
      title: /*i18n*/ 'Terms of Service',
      description: /*i18n*/ 'The rules for using Nivida, its accounts and documents.',
    },
    screen: 'info/Terms',
    landing: 'static',
  },
  '/cookies': {
    title: /*i18n*/ 'Cookie Policy',
    description: /*i18n*/ 'The two cookies Nivida sets and all data it stores in your browser, entry by entry.',
    screen: 'info/Cookies',
    landing: 'static',
  },
  '/gdpr': {
    title: /*i18n*/ 'Data protection: GDPR and DPDP Act',
    description:
      /*i18n*/ 'Your rights under the GDPR and India’s Digital Personal Data Protection Act 2023, and how to use them.',
    screen: 'info/Gdpr',
    landing: 'static',
  },
  '/refund': {
    title: /*i18n*/ 'Refund Policy',
    description: /*i18n*/ 'All payments are non-refundable; the exceptions, and how the money comes back.',
    free: FREE_PAGE_TEXT,
    screen: 'info/Refund',
    landing: 'static',
  },
  '/dashboard': {
    title: /*i18n*/ 'Dashboard',
    description: /*i18n*/ 'Your tenders, account and settings.',
    screen: 'dashboard/DashboardHome',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/tenders': {
    title: /*i18n*/ 'Find tenders',
    description: SEARCH_DESCRIPTION,
    redirect: { to: '/tenders' },
    isPrivate: true,
  },
  '/dashboard/profile': {
    title: /*i18n*/ 'Profile',
    description: /*i18n*/ 'Your name, e-mail address, mobile number and firm.',
    screen: 'dashboard/Profile',
    isPrivate: true,
    needsSession: true,
  },
  // The bids of a signed-out visitor are on the device.
  '/dashboard/applications': {
    title: /*i18n*/ 'My Applications',
    description: /*i18n*/ 'Your bids by stage, what is missing, and the next step.',
    screen: 'bids/MyBids',
    isPrivate: true,
  },
  '/dashboard/applications/:id': {
    title: /*i18n*/ 'My Applications',
    description: /*i18n*/ 'One of your bids.',
    screen: 'bids/BidPage',
    parameter: '[0-9a-f-]{36}',
    isPrivate: true,
  },
  '/dashboard/rates': {
    title: /*i18n*/ 'Rate book',
    description: /*i18n*/ 'Your past rates for items of BOQs.',
    screen: 'bids/RateBook',
    isPrivate: true,
  },
  '/dashboard/documents': {
    title: /*i18n*/ 'Document vault',
    description: /*i18n*/ 'The documents that you upload with bids, and until when they are valid.',
    screen: 'dashboard/DocumentVault',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/firms': {
    title: /*i18n*/ 'Firms',
    description: /*i18n*/ 'Firms in which up to five people share bids, deposits, documents and searches.',
    screen: 'firms/Firms',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/payments': {
    title: /*i18n*/ 'Payments & EMD',
    description: /*i18n*/ 'Your plan, documents, orders and receipts.',
    free: { title: /*i18n*/ 'Documents & EMD', description: /*i18n*/ 'Your documents, alerts and EMD.' },
    screen: 'dashboard/Payments',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/analytics': {
    title: /*i18n*/ 'Analytics',
    description: /*i18n*/ 'Your EMD and deposits, and your bids in figures.',
    screen: 'bids/Analytics',
    isPrivate: true,
  },
  '/dashboard/support': {
    title: /*i18n*/ 'Support',
    description: /*i18n*/ 'Your messages to support and our answers, also without a connection.',
    screen: 'support/Support',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/support/:id': {
    title: /*i18n*/ 'Support',
    description: /*i18n*/ 'One of your conversations with support.',
    screen: 'support/SupportConversation',
    parameter: '[0-9a-f-]{36}',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/settings': {
    title: /*i18n*/ 'Settings',
    description: /*i18n*/ 'Saved states and alerts of this phone, your sessions, password and data.',
    screen: 'dashboard/Settings',
    isPrivate: true,
    needsSession: true,
  },
  '/bookmarks': {
    title: /*i18n*/ 'Bookmarked tenders',
    description: /*i18n*/ 'The tenders you bookmarked, also without a connection.',
    screen: 'tenders/Bookmarks',
    isPrivate: true,
    needsSession: true,
  },
  '/add-tenders': {
    title: /*i18n*/ 'Add a list of tenders',
    description: /*i18n*/ 'Find the tenders of a pasted or shared list, and bookmark them.',
    screen: 'added-list/AddTenders',
    isPrivate: true,
  },
  '/notices': {
    title: /*i18n*/ 'Notices',
    description: /*i18n*/ 'What closes soon, what has changed and what is new, also without a connection.',
    screen: 'alerts/Notices',
    isPrivate: true,
  },
  '/reset-password': {
    title: /*i18n*/ 'Reset Password',
    description: /*i18n*/ 'Choose a new password for your account.',
    screen: 'account/ResetPassword',
  },
  '/firm-invitation': {
    title: /*i18n*/ 'Invitation to a firm',
    description: /*i18n*/ 'Join the firm that has invited you.',
    screen: 'firms/JoinFirm',
    isPrivate: true,
  },
  // The desk of the staff. Others see the page of an unknown address.
  '/desk': { title: /*i18n*/ 'Today', description: DESK_DESCRIPTION, screen: 'desk/DeskToday', ...OF_DESK },
  '/desk/data': {
    title: /*i18n*/ 'Data in',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskData',
    ...OF_DESK,
  },
  '/desk/data/feeds': {
    title: /*i18n*/ 'Feeds',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskFeeds',
    ...OF_DESK,
  },
  '/desk/data/keys': {
    title: /*i18n*/ 'Keys',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskKeys',
    ...OF_DESK,
  },
  '/desk/data/portals': {
    title: /*i18n*/ 'Portals',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskPortals',
    ...OF_DESK,
  },
  // After the pages beside it, whose names would be ids.
  '/desk/data/:id': {
    title: /*i18n*/ 'Data in',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskData',
    ...OF_DESK,
  },
  '/desk/messages': {
    title: /*i18n*/ 'Messages',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskMessages',
    ...OF_DESK,
  },
  '/desk/messages/:id': {
    title: /*i18n*/ 'Messages',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskMessages',
    ...OF_DESK,
  },
  '/desk/orders': { title: /*i18n*/ 'Orders', description: DESK_DESCRIPTION, screen: 'desk/DeskOrders', ...OF_DESK },
  '/desk/orders/:id': {
    title: /*i18n*/ 'Orders',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskOrders',
    ...OF_DESK,
  },
  '/desk/notices': {
    title: /*i18n*/ 'Notices and incidents',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskNotices',
    ...OF_DESK,
  },
  '/desk/notices/:id': {
    title: /*i18n*/ 'Notices and incidents',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskNotices',
    ...OF_DESK,
  },
  '/desk/tenders': { title: /*i18n*/ 'Tenders', description: DESK_DESCRIPTION, screen: 'desk/DeskTenders', ...OF_DESK },
  '/desk/tenders/:id': {
    title: /*i18n*/ 'Tenders',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskTenders',
    ...OF_DESK,
  },
  '/desk/documents': {
    title: /*i18n*/ 'Documents',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskDocuments',
    ...OF_DESK,
  },
  '/desk/documents/:id': {
    title: /*i18n*/ 'Documents',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskDocuments',
    ...OF_DESK,
  },
  '/desk/people': { title: /*i18n*/ 'People', description: DESK_DESCRIPTION, screen: 'desk/DeskPeople', ...OF_DESK },
  '/desk/people/:id': {
    title: /*i18n*/ 'People',
    description: DESK_DESCRIPTION,
    screen: 'desk/DeskPeople',
    ...OF_DESK,
  },
  '/desk/firms': { title: /*i18n*/ 'Firms', description: DESK_DESCRIPTION, screen: 'desk/DeskFirms', ...OF_DESK },
  '/desk/firms/:id': { title: /*i18n*/ 'Firms', description: DESK_DESCRIPTION, screen: 'desk/DeskFirms', ...OF_DESK },
  '/desk/audit': { title: /*i18n*/ 'Audit log', description: DESK_DESCRIPTION, screen: 'desk/DeskAudit', ...OF_DESK },
  '/desk/staff': { title: /*i18n*/ 'Staff', description: DESK_DESCRIPTION, screen: 'desk/DeskStaff', ...OF_DESK },
  '/shared-files': {
    title: /*i18n*/ 'Shared file',
    description: /*i18n*/ 'Read a tender document that you got elsewhere, for yourself alone.',
    screen: 'readings/SharedFiles',
    isPrivate: true,
  },
  // Receives shared texts of other apps (share_target of the manifest).
  '/share': { title: /*i18n*/ 'Find tenders', description: SEARCH_DESCRIPTION, screen: 'tenders/ShareTarget' },
} as const satisfies Record<string, Page>;

export type PagePath = keyof typeof PAGES;

/** The pages with their paths. */
export const pageEntries = (): [PagePath, Page][] => Object.entries(PAGES) as [PagePath, Page][];

/** A page at an address. */
export interface FoundPage {
  path: PagePath;
  page: Page;
  /** The parameter as the address has it; '' for a page without one. */
  parameter: string;
}

/** The page at a path without language; undefined for an unknown one. */
export function findPage(address: string): FoundPage | undefined {
  for (const [path, page] of pageEntries()) {
    const pattern = new RegExp(`^${path.replace(/:\w+/, `(${page.parameter ?? '[^/]+'})`)}$`);
    const match = pattern.exec(address);
    if (match) return { path, page, parameter: match[1] ?? '' };
  }
  return undefined;
}

/** The title and description of a page in the present language. */
export function pageText({ title, description, free }: PageText & Pick<Page, 'free'>, sellsNothing = false): PageText {
  const text = (sellsNothing && free) || { title, description };
  return { title: inPresentLanguage(text.title), description: inPresentLanguage(text.description) };
}
