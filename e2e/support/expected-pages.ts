/** The route table of SPEC: each page with its texts. */

/**
 * What a page shows. In `address`, `:id` stands for a tender's id; in `title` and `heading`, it stands for
 * the tender's title.
 */
export interface ExpectedPage {
  address: string;
  /** The document's title without the product's name. */
  title: string;
  heading: string;
  /** Literal texts in the main part of the page. */
  texts: readonly string[];
  /** Full names of buttons and links. */
  actions?: readonly string[];
  /** The page differs for a signed-in user, not only in its header. */
  differsSignedIn?: true;
  /** A page of an account that also works with only the device's data. */
  worksSignedOut?: true;
  /** What a signed-in user sees instead of `texts` and `actions`. */
  signedIn?: { texts: readonly string[]; actions: readonly string[] };
}

/** Pages that need no account. */
export const PUBLIC_PAGES: readonly ExpectedPage[] = [
  {
    address: '/',
    differsSignedIn: true,
    title: 'Government tenders in India',
    heading: 'Government tenders, down to the closing hour.',
    texts: [
      ...['tenders open now', '7-day free trial, no credit card'],
      ...['Tender Management', 'AI Bid Prediction', 'Fintech Solutions', 'Competitive Analysis'],
      ...['5,000+', 'active contractors', '500Cr+', 'tenders won', '95%', 'success rate'],
    ],
    actions: ['Start Free Trial', 'View Tenders', 'Learn More', 'View All Services'],
    signedIn: {
      texts: [
        ...['Latest in your districts and departments', 'Saved searches', 'Bookmarks that close next'],
        ...['tenders open now', 'Tender Management', '5,000+', 'active contractors'],
      ],
      actions: ['My dashboard', 'View Tenders', 'View All Services'],
    },
  },
  {
    address: '/tenders',
    title: 'Find tenders',
    heading: 'Find tenders',
    texts: ['State', 'District', 'Department', 'States with tenders now'],
    actions: ['Show tenders'],
  },
  {
    address: '/tenders/results?state=Uttar+Pradesh',
    differsSignedIn: true,
    title: 'Tenders in Uttar Pradesh',
    heading: 'Tenders in Uttar Pradesh',
    texts: ['Showing 1 to '],
    actions: ['Save search', 'Next'],
  },
  {
    address: '/tenders/results?state=Atlantis',
    title: 'Tenders in Atlantis',
    heading: 'Tenders in Atlantis',
    texts: ['No Tenders Found'],
    actions: ['Modify Search'],
  },
  {
    address: '/tenders/:id',
    differsSignedIn: true,
    title: ':id',
    heading: ':id',
    texts: ['Overview', 'Documents', 'Bidding Details', '₹99'],
  },
  {
    address: '/tenders/:id/boq',
    title: 'BOQ: :id',
    heading: 'Bill of quantities',
    texts: ['No BOQ to show', 'No BOQ of this tender has been read.'],
    actions: ['Documents of the tender'],
  },
  {
    address: '/tenders/999999999',
    title: 'Tender',
    heading: 'Tender not found',
    texts: [],
    actions: ['Browse Tenders'],
  },
  {
    address: '/pricing',
    differsSignedIn: true,
    title: 'Plans and prices',
    heading: 'Plans',
    texts: [
      ...['Basic', '₹5,899', 'Premium', '₹10,899', 'Enterprise', '₹14,999', 'per year'],
      ...['All tenders', '1 state', 'Basic search filters', 'Email notifications'],
      ...['Up to 10 document downloads per month', 'All Basic', 'Competitive analysis', '5 states', 'Advanced filters'],
      ...['Priority support', 'Unlimited downloads', 'Tender analytics', 'Custom alerts', 'All Premium', 'All India'],
      ...['Dedicated account manager', 'Custom reporting', 'Team collaboration', 'Coming soon'],
      ...['7-day free trial, no credit card', '24/7 support', 'Secure payment', 'All payments are non-refundable'],
    ],
    actions: ['Get Started with Basic', 'Get Started with Premium', 'Get Started with Enterprise'],
    // A user with an account has had the trial.
    signedIn: {
      texts: ['Basic', '₹5,899', 'Premium', '₹10,899', 'Enterprise', '₹14,999', '24/7 support', 'Secure payment'],
      actions: ['Get Started with Basic', 'Get Started with Premium', 'Get Started with Enterprise'],
    },
  },
  {
    address: '/payment-status',
    title: 'Payment status',
    heading: 'Error Checking Payment',
    texts: ['Order ID is missing'],
    actions: ['Back to Tender'],
  },
  {
    address: '/about',
    differsSignedIn: true,
    title: 'About Us',
    heading: 'About Us',
    texts: [
      ...['Our mission', 'Our story', 'Our values', 'Our impact'],
      ...['Over 5,000', 'contractors', 'Over ₹2,500 crore', 'in tenders'],
    ],
    actions: ['Get Started Free', 'Contact Us'],
    signedIn: { texts: ['Our mission'], actions: ['My dashboard', 'Contact Us'] },
  },
  {
    address: '/contact',
    differsSignedIn: true,
    title: 'Contact',
    heading: 'Contact',
    texts: [
      ...['Name', 'Email', 'Mobile number', 'Company', 'Subject', 'Message', 'I agree to the terms and conditions'],
      ...['Do I submit my bid here?', 'What do I pay ₹99 for?', 'Does it work without a connection?'],
      ...['How do I know that a closing date is still right?'],
      ...['support@nivida.example', 'Monday-Friday 9am-5pm IST', 'Response within 24 hours'],
    ],
    actions: ['Send Message', 'View Pricing'],
  },
  {
    address: '/help',
    title: 'Words of tendering',
    heading: 'Help',
    texts: [
      'How it works',
      'Submit at the portal',
      'Words of tendering',
      'टेंडर के शब्द',
      'Earnest money deposit',
      'धरोहर राशि',
    ],
    actions: ['See how it works in three cards'],
  },
  {
    address: '/status',
    title: 'Status',
    heading: 'Status',
    texts: ['App and data', 'Reading of portals', 'Alerts', 'E-mail', 'Tenders for offline use', 'Incidents'],
  },
  {
    address: '/services',
    title: 'Services',
    heading: 'Services',
    texts: [
      ...['Tender Management', 'AI Bid Prediction', 'Fintech Solutions', 'Competitive Analysis'],
      ...['Real-time Notifications', 'Access for Teams', 'Role-based access control'],
      ...['Plans from ₹999 per month', 'Up to 70% time saving', 'Tenders from 1000+ organisations'],
    ],
    actions: ['View Pricing Plans'],
  },
  {
    address: '/analysis',
    title: 'Competitive Analysis',
    heading: 'Competitive Analysis',
    texts: ['States with awards', 'Himachal Pradesh', 'Assam', 'Coming Soon', 'Seasons and trends', 'Your own record'],
  },
  {
    address: '/analysis/Himachal%20Pradesh',
    title: 'Awarded tenders: Himachal Pradesh',
    heading: 'Awarded tenders: Himachal Pradesh',
    texts: ['What happened here', 'By quarter', 'Departments', 'Demonstration: these awards are generated.'],
  },
  {
    address: '/privacy',
    title: 'Privacy Policy',
    heading: 'Privacy Policy',
    texts: [
      ...['What we collect', 'What stays on your device', 'Payments', 'Your rights', '29th Aug 2024'],
      ...['Personal information', 'Subscription details', 'Usage data', 'We do not sell your data.'],
      'You may access, update and delete your personal information, and opt out',
    ],
  },
  {
    address: '/terms',
    title: 'Terms of Service',
    heading: 'Terms of Service',
    texts: ['Not a government site', 'Accounts', 'Document packages', 'Plans', 'payments are non-refundable'],
  },
  {
    address: '/cookies',
    title: 'Cookie Policy',
    heading: 'Cookie Policy',
    texts: [
      ...['The two cookies', 'otp_ctx', 'device', 'It lasts 180 days from the last sign-in, also after you sign out.'],
      ...['What your browser keeps for us', 'a message that you are writing on the contact page'],
    ],
  },
  {
    address: '/gdpr',
    title: 'Data protection: GDPR and DPDP Act',
    heading: 'GDPR and data protection',
    texts: ['Data protection officer', 'Your rights in India (DPDP Act 2023)', 'Complaints'],
  },
  {
    address: '/refund',
    title: 'Refund Policy',
    heading: 'Refund Policy',
    texts: ['All payments are non-refundable.', 'Paid twice.', 'Not delivered.'],
  },
  {
    address: '/notices',
    differsSignedIn: true,
    title: 'Notices',
    heading: 'Notices',
    texts: ['No notices yet.', 'you will see reminders and changes here'],
    actions: ['Alert settings'],
  },
  {
    address: '/reset-password',
    title: 'Reset Password',
    heading: 'Reset Password',
    texts: ['Open this page by the link in the email.'],
    actions: ['Request a new link'],
  },
  {
    address: '/firm-invitation',
    title: 'Invitation to a firm',
    heading: 'Invitation to a firm',
    texts: ['Open the link in the mail with the invitation.'],
    actions: ['Firms'],
  },
  {
    address: '/nowhere',
    title: 'Page not found',
    heading: 'Page not found',
    texts: [],
    actions: ['Return Home'],
  },
  {
    address: '/add-tenders',
    title: 'Add a list of tenders',
    heading: 'Add a list of tenders',
    texts: ['Paste tender ids, NIT numbers or links', 'At most 1 MB and 2,000 lines.'],
    actions: ['Find the tenders', 'Choose a CSV file'],
  },
  {
    address: '/shared-files',
    differsSignedIn: true,
    title: 'Shared file',
    heading: 'Shared file',
    texts: ['Sign in to have a document read for you alone.'],
    actions: ['Sign in'],
    signedIn: { texts: ['No shared file.'], actions: ['Choose a file'] },
  },
];

/** Pages of an account. An empty heading stands for the greeting, which depends on the hour. */
export const SIGNED_IN_PAGES: readonly ExpectedPage[] = [
  {
    address: '/dashboard',
    title: 'Dashboard',
    heading: '',
    texts: ['Start here', 'Tap “Save search” above a list.', 'Latest tenders', 'Quick links'],
    actions: ['Find tenders', 'Contact Support'],
  },
  {
    address: '/dashboard/profile',
    title: 'Profile',
    heading: 'Profile',
    texts: ['Username', 'Email', 'Mobile number', 'Your firm'],
  },
  {
    address: '/dashboard/applications',
    title: 'My Applications',
    heading: 'My Applications',
    texts: ['No bids yet', 'Submit at the portal, then mark the bid as submitted here.'],
    actions: ['Find tenders', 'Add a bid by hand'],
    worksSignedOut: true,
  },
  {
    address: '/dashboard/payments',
    title: 'Payments & EMD',
    heading: 'Payments & EMD',
    texts: ['Your plan', 'Your documents', 'Orders and receipts', 'EMD and deposits'],
    actions: ['Money that is locked'],
  },
  {
    address: '/dashboard/firms',
    title: 'Firms',
    heading: 'Firms',
    texts: ['No firm yet.', 'Up to five people of a firm share its bids'],
    actions: ['New firm'],
  },
  {
    address: '/dashboard/analytics',
    title: 'Analytics',
    heading: 'Analytics',
    texts: ['Money that is locked', 'Locked now', 'Overdue', 'My bids in figures', 'No bid is decided yet.'],
    actions: ['My Applications'],
    worksSignedOut: true,
  },
  {
    address: '/dashboard/documents',
    title: 'Document vault',
    heading: 'Document vault',
    texts: ['No documents yet.'],
  },
  {
    address: '/dashboard/rates',
    title: 'Rate book',
    heading: 'Rate book',
    texts: ['No rates yet', 'Rates that you enter in the BOQ of a tender are listed here.'],
    actions: ['My Applications'],
    worksSignedOut: true,
  },
  {
    address: '/dashboard/support',
    title: 'Support',
    heading: 'Support',
    texts: ['No messages yet.', 'Response within 24 hours'],
    actions: ['Write to us', 'How it works, and words of tendering'],
  },
  {
    address: '/dashboard/settings',
    title: 'Settings',
    heading: 'Settings',
    texts: ['Where you are signed in', 'Change password', 'Export my data', 'Delete account'],
  },
  {
    address: '/bookmarks',
    title: 'Bookmarked tenders',
    heading: 'Bookmarked tenders',
    texts: ['No bookmarked tenders found.'],
    actions: ['View Tenders', 'Add a list of tenders'],
  },
];

/** Addresses that redirect to another page. */
export const REDIRECTS: readonly [from: string, to: string][] = [
  ['/register', '/'],
  ['/tenders/results', '/tenders'],
  ['/dashboard/tenders', '/tenders'],
  ['/share', '/tenders'],
  ['/share?title=Footbridge+at+Baddi', '/tenders?q=Footbridge+at+Baddi'],
];
