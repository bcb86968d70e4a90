import { basename, join } from 'node:path';
import { fixturesUnder } from '../../../src/cli/fixtures.ts';

/** A request to a running daemon and its response. */
export interface Recording {
	/** Its unique name in the file. */
	name: string;
	/** The called method, or `(batch)` or `(http)` if the pair is about the envelope. */
	method: string;
	/** The chain of the recording. */
	chain: string;
	http: { method: string; path: string; status: number; contentType: string };
	/** Bytes of the body; null for a request without one. */
	request: string | null;
	answer: string;
}

interface RecordedPair {
	method: string;
	source: { chain: string };
	http: { method: string; path: string; status: number; content_type: string };
	request_text: string | null;
	response_text: string;
}

const FOLDER = join(import.meta.dirname, '../fixtures/recordings');

/** The pairs of one folder or file that were recorded from running daemons, by name. */
export function readRecordings(place = 'daemon'): Map<string, Recording> {
	const found = new Map<string, Recording>();
	for (const { name, text } of fixturesUnder(join(FOLDER, place))) {
		const pair = JSON.parse(text) as RecordedPair;
		const title = basename(name);
		if (found.has(title)) throw new Error(`two recordings are called ${title}`);
		found.set(title, {
			name: title,
			method: pair.method,
			chain: pair.source.chain,
			http: {
				method: pair.http.method,
				path: pair.http.path,
				status: pair.http.status,
				contentType: pair.http.content_type
			},
			request: pair.request_text ?? null,
			answer: pair.response_text ?? ''
		});
	}
	return found;
}
