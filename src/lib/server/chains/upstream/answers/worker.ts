/** Worker thread that reads large answers. */
import { parentPort } from 'node:worker_threads';
import { packed } from './crossing.ts';
import { read, type Reading } from './read.ts';

parentPort?.on('message', (reading: Reading) => {
	parentPort?.postMessage(packed(read(reading)));
});
