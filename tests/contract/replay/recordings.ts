import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** One pair of a request to a running daemon and its answer. */
export interface Recording {
	/** Name of the file, without its ending; no two are called the same. */
	name: string;
	/** What was called, or `(batch)` or `(http)` where the pair is about the envelope. */
	method: string;
	/** The chain that it was recorded on. */
	chain: string;
	http: { method: string; path: string; status: number; contentType: string };
	/** Bytes of the body; null for a request without one. */
	request: string | null;
	answer: string;
}

interface RecordingFile {
	method: string;
	source: { chain: string };
	http: { method: string; path: string; status: number; content_type: string };
	request_text: string | null;
	response_text: string;
}

const FOLDER = join(import.meta.dirname, '../fixtures/recordings');

/** The pairs of one folder that were recorded from running daemons, by name. */
export function readRecordings(name = 'daemon'): Map<string, Recording> {
	const folder = join(FOLDER, name);
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const found = new Map<string, Recording>();
	for (const file of files.filter((one) => one.endsWith('.json')).sort()) {
		const pair = JSON.parse(readFileSync(join(folder, file), 'utf8')) as RecordingFile;
		const title = basename(file, '.json');
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
