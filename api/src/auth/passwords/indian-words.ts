/** Words that Indian users combine with a number in a password and that the international list lacks. */
const NAMES_TEXT = `
  aadhaar aarav aditi aditya ajay akash akshay aman amit amma anand anil anita anjali ankit anuj arjun arun arvind asha
  ashok baba babu bajrangbali balaji bhagwan bharat bharatmata bhavani bholenath chandan deepak desh devi dharam diwali
  durga gaurav gayatri ganesh ganga ganpati geeta gita gopal govind gujarat guru gurudev hanuman hari haribol harharmahadev
  hardik hariom himachal hindustan holi india indian ishwar jagannath jaibhim jaihanuman jaihind jaijawan jaikisan jaimaa
  jaimata jaimatadi jaishivshankar jaishreeram jaishriram jaishrikrishna jeet jyoti kali kamal kapil karan kavita khushi
  kiran kishan krishna kumar kumari lakshmi lalit laxmi mahadev mahakal mahesh mandir manish manoj mata meena meera mohan
  mohit mukesh mumbai namaste namah narayan naresh naveen neeraj neha nikhil nitin omnamahshivaya omsairam omshanti
  pankaj papa parvati pawan pooja prabhu pradeep prakash pramod prasad praveen prem priya priyanka puja rahul raja rajan
  rajesh rajiv rakesh ram rama ramesh ravi rekha riya rohan rohit sachin sagar sai saibaba sairam sandeep sangeeta sanjay
  sanjeev santosh saraswati saritha satish satnam seema shakti shanti sharma shiv shiva shivaji shivam shivshankar
  shreeganesh shreeram shri shyam singh sita sonia sonu sri srinivas sudhir sunil sunita suraj suresh swami tiranga
  tulsi umesh usha vaishnodevi vande vandemataram varun verma vijay vikas vikram vinay vinod vishal vishnu waheguru yash
  yogesh`;
/** Words of the trade and of accounts. */
const TRADE_TEXT = `
  account admin administrator bidder bidding bids builder builders business civil company construction constructions
  contract contracts contractor contractors customer department engineer engineering enterprise enterprises etender
  government govt infra infrastructure login manager mobile nivida office online owner password pass portal private
  project projects secret staff student supplier system temp temporary tender tenders test testing traders user username
  vendor welcome works`;

const splitWords = (text: string): string[] => text.trim().split(/\s+/);

export const INDIAN_WORDS: readonly string[] = splitWords(NAMES_TEXT);
export const TRADE_WORDS: readonly string[] = splitWords(TRADE_TEXT);
