import { basename, join } from 'node:path';
import { fixturesUnder } from '../../../src/cli/fixtures.ts';

/** A request to a running trading node and its response. */
export interface KdfRecording {
	/** Its name in the file. */
	name: string;
	/** The number before the name: the order of recording. */
	number: number;
	http: { method: string; path: string; status: number; contentType: string | null };
	/** Null for a request without a body. */
	request: string | null;
	answer: string;
}

interface RecordedPair {
	http: { method: string; path: string; status: number; content_type: string | null };
	request_text: string | null;
	response_text: string | null;
}

const FOLDER = join(import.meta.dirname, '../fixtures/node/recordings');

/** The password of the recorded node. */
export const RECORDED_PASSWORD = 'Wire_Pass_1!';

/** All pairs, in the order of recording. */
export function readKdfRecordings(): KdfRecording[] {
	return fixturesUnder(FOLDER)
		.map(({ name: full, text }) => {
			const pair = JSON.parse(text) as RecordedPair;
			const name = basename(full);
			const { method, path, status, content_type: contentType } = pair.http;
			return {
				name,
				number: Number.parseInt(name, 10),
				http: { method, path, status, contentType },
				request: pair.request_text,
				answer: pair.response_text ?? ''
			};
		})
		.sort((a, b) => a.number - b.number);
}
