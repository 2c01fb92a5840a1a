/** The usage of the operator's commands. It is a file of its own because the code of the commands takes a second to load. */
const USAGE = `Usage:
  npm run import -- FILE… [--format auto|gepnic|gepnic-list|ocds|pincodes|awards]
                          [--portal NAME] [--state NAME]
                          [--rebase YYYY-MM-DD] [--dry-run] [--rejects FILE] [--json]
                          [--documents DIR]     DIR: official files in folders by tender id
                          [--allow-missing COLUMN]…   a column that the portal does not give
                          [--accept-mass-change]      store a file that empties a field, or moves
                                                      all dates, of most stored tenders
                          [--accept-state]            store a file whose places lie in another state
                          [--mapping PORTAL]          the saved mapping of PORTAL must have the file's columns
  npm run mappings -- describe FILE [--portal NAME] [--json]     columns, values and guesses
  npm run mappings -- preview|save FILE --portal NAME [--state NAME] [--from MAPPING.json] [--column "NAME=FIELD"]…
                              [--fixed FIELD=VALUE]… [--reason TEXT] [--json]
                              without --from the guesses count; FIELD none: the column is not read;
                              value:lakh (rupee, thousand, lakh, crore): the unit of an amount
  npm run mappings -- list [--json]
  npm run mappings -- show --portal NAME [--json]
  npm run migrate [-- --new-secrets]   --new-secrets: creates DATA_DIR/secrets.json when it is lost
  npm run documents -- attach --tender ID [--nit FILE]… [--boq FILE]… [FILE…] [--all-works] [--reason TEXT] [--json]
  npm run documents -- attach --documents DIR [--reason TEXT] [--json]
  npm run documents -- list [--tender ID | --asked] [--json]
  npm run documents -- facts --tender ID [--json]     files with the state of their reading, and lines with their page
  npm run documents -- confirm|hide|restore LINE [--reason TEXT] [--json]     restore: what the reader found counts again
  npm run documents -- correct LINE --value "25000 rupees"|"90 days"|"6 months"|none [--reason TEXT] [--json]
      Without --nit and --boq the kind follows from the name (Tendernotice_1.pdf, BOQ_1.xls). Only a tender with its NIT
      is sold. --all-works: the files belong to every work of the notice, not to ID alone.
  npm run rates -- import FILE.csv --name NAME --state NAME [--from YYYY-MM-DD] [--column "NAME=code|text|unit|rate"]…
                             [--dry-run] [--reason TEXT] [--json]
      a schedule of rates, shown beside the lines of a BOQ; another import of NAME replaces it. --from: since when it holds
  npm run rates -- list [--json]
  npm run rates -- remove ID [--reason TEXT] [--json]
  npm run orders -- list [--status REVIEW] [--find TEXT] [--page N] [--json]
                             TEXT: e-mail, mobile number, or id of an order, payment, refund or receipt
  npm run orders -- export --from YYYY-MM-DD --to YYYY-MM-DD [--table b2b|b2cs|cdnr]     tax invoices as CSV of GSTR-1
  npm run orders -- show ID [--json]
  npm run orders -- recheck|resend ID [--reason TEXT] [--json]
  npm run orders -- email ID NEW [--reason TEXT] [--json]     corrects the buyer's address; mails to both
  npm run orders -- refund|resolve ID --reason TEXT [--json]     refund: the buyer reads TEXT after 'because'
  npm run tenders -- show ID [--json]     why it is shown so: source, reading, place, department, changes, alerts
  npm run tenders -- hide|unhide ID --reason TEXT [--json]     ID: the number in its address; imports do not bring it back
  npm run tenders -- correct ID FIELD VALUE --reason TEXT [--json]     holds until the source changes FIELD
  npm run tenders -- uncorrect ID FIELD --reason TEXT [--json]
  npm run tenders -- reports list [--json]     mistakes that readers report
  npm run tenders -- reports close REPORT --reason TEXT [--answer TEXT] [--json]     --answer: to the reader's account, which needs one
  npm run tenders -- reports reopen REPORT --reason TEXT [--json]
  npm run notices -- publish --text en=TEXT [--text hi=TEXT] [--from TIME] [--to TIME] [--tone info|warning] --reason TEXT [--json]
  npm run notices -- end ID --reason TEXT [--json]     TEXT is one line in the app of every user
  npm run notices -- list [--json]
  npm run incidents -- open --text en=TEXT [--text hi=TEXT] [--from TIME] --reason TEXT [--json]     shown on /status
  npm run incidents -- update|close ID --text en=TEXT [--text hi=TEXT] --reason TEXT [--json]
  npm run incidents -- list [--json]
  npm run messages -- list [--state waiting|answered|closed|all] [--find TEXT] [--page N] [--json]
  npm run messages -- show ID [--json]
  npm run messages -- answer ID TEXT | --text-file FILE [--file FILE]… [--reason TEXT] [--json]   in the app and by mail; a user gets the files in the app
  npm run messages -- close|reopen ID --reason TEXT [--json]
  npm run staff -- add MOBILE --role support|operator|owner [--reason TEXT] [--json]     gives an account the desk
  npm run staff -- remove MOBILE [--reason TEXT] [--json]     ends the role and its sessions
  npm run staff -- list [--json]
  npm run users -- find ACCOUNT [--json]     ACCOUNT: its id, mobile number or e-mail; find: a name too
  npm run users -- show ACCOUNT [--reveal --reason TEXT] [--json]     --reveal: with mobile number and e-mail
  npm run users -- unlock|end-sessions ACCOUNT --reason TEXT [--json]
  npm run users -- keys ACCOUNT [--json]     its keys for programs, also revoked ones
  npm run users -- revoke-key KEY --reason TEXT [--json]     KEY: its id, or the key that was found
  npm run users -- export ACCOUNT FILE --reason TEXT [--json]     FILE.csv or .json: the stored data, for its user
  npm run users -- erase|reopen ACCOUNT --reason TEXT [--json]     erases after 7 days; reopen stops it
  npm run plans -- grant basic|premium|enterprise --to MAIL|--file FILE --until YYYY-MM-DD|--days N
                         [--states NAME,NAME] --reason TEXT [--json]     FILE: one e-mail address in each line
  npm run plans -- list [ACCOUNT] [--page N] [--json]     without ACCOUNT: all plans that were given
  npm run plans -- end ID --reason TEXT [--json]     ends a plan that was given
  npm run mail -- all|affected --name NAME --text en=FILE --text hi=FILE [--file FILE] [--account ACCOUNT]…
                          [--yes] --reason TEXT [--json]     a mail to all accounts, or to those of FILE;
                          --text: subject, empty line, text; --yes: without a question
  npm run mail -- list [--json]     the messages that were sent, and how far they are
  npm run mail -- stop NAME --reason TEXT [--json]
  npm run audit -- list [--actor ACCOUNT|command] [--subject ID] [--action NAME] [--from YYYY-MM-DD]
                        [--to YYYY-MM-DD] [--before ID] [--json]     NAME: account.erased, or account for all of them
  npm run feeds -- list [--json]
  npm run feeds -- pause|resume NAME --reason TEXT [--json]     a paused feed is read by "run" only
  npm run feeds -- run NAME [--wait] [--reason TEXT] [--json]     asks a worker to read it now
      [--file NAME… [--accept-mass-change] [--accept-state]]     imports these waiting files all the same
  npm run feeds -- keys list [--json]                             keys for POST /api/import
  npm run feeds -- keys add NAME [--portal PORTAL] [--lists-only] [--reason TEXT] [--json]
      prints the key once; --lists-only: a key for the bookmarklet, which sends copied lists only
  npm run feeds -- keys revoke NAME [--reason TEXT] [--json]
  npm run ocds -- list [--json]                        files of the OCDS export
  npm run ocds -- dump --state NAME --year YYYY [--json]     writes such a file now
  npm run awards -- hide-name NAME     removes a winner's name from all awards, also from later imports
  npm run awards -- show-name NAME     later imports store the name again
  npm run awards -- new-rule --state NAME --from YYYY-MM-DD --rule TEXT --source TEXT [--department NAME]
                                       hides prices of tenders published before this day
  npm run backup -- FILE [--with-secrets] [--nightly]
  npm run restore -- FILE [--identity KEYFILE] [--last-invoice RC/26-27/0000123]… [--replace [--yes]]
      --replace: the present database is deleted when the backup is restored completely; --yes: without a question
  npm run restore -- --after-recovery [--last-invoice RC/26-27/0000123]…
      after your own tools have put the database back to an earlier instant, before Nivida starts again
  npm run doctor                       checks the installation; exit code 0 ok, 1 warnings, 2 failures
  npm run job -- NAME [--now ISO]      NAME: `;

/** The lines of USAGE for one command; all lines for an unknown one. */
export async function usageOf(name: string): Promise<string> {
  const [title, ...entries] = USAGE.split(/\n(?= {2}npm run )/);
  const own = entries.filter((entry) => entry.startsWith(`  npm run ${name} `));
  const usage = [title, ...(own.length > 0 ? own : entries)].join('\n');
  return usage.endsWith(' NAME: ') ? usage + (await jobNames()) : usage;
}

async function jobNames(): Promise<string> {
  const { JOBS } = await import('../app/features.ts');
  return JOBS.map(({ name }) => name).join(', ');
}
