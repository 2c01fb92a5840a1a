declare module 'hoodiecrow-imap';
