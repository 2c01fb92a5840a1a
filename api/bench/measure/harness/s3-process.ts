/** `node s3-process.ts FOLDER PORT BUCKET`: an S3 server in a process of its own, which a benchmark may kill. */
import { startS3Server } from '../../../test/storage/s3-server.ts';

const [directory = '', port, bucket = ''] = process.argv.slice(2);
await startS3Server([bucket], { directory, port: Number(port) });
process.stdout.write('ready\n');
