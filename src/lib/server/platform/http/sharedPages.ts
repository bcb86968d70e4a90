/**
 * Pages that are the same for all visitors: made once, and given to everyone who asks within a moment and while
 * nothing has changed. Who asks at the same time waits for the one that is being made.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { BROTLI_QUALITY, encodingFor, SMALLEST_COMPRESSED, type Encoding } from './encoding.ts';

/** What a page may be behind of what a daemon would say now, in milliseconds. */
const FRESH_MS = 1_000;
/** All kept pages together. */
const MOST_BYTES = 16 * 1024 * 1024;

/** What each copy has of its own. */
const OWN: ReadonlySet<string> = new Set(['etag', 'content-length']);

/** A page as it was made. */
interface SharedPage {
	/** Of what was known when it was made. */
	stamp: string;
	headers: readonly (readonly [name: string, value: string])[];
	etag: string;
	body: Uint8Array<ArrayBuffer>;
	encoded: Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>;
}

export interface SharedPages {
	/**
	 * The answer under a key. What cannot be shared is answered by `make` each time.
	 * @param key all that the page depends on, besides what the stamp stands for
	 * @param acceptEncoding as the client says it
	 */
	answer(
		key: string,
		acceptEncoding: string | null,
		make: () => Promise<MadePage>
	): Promise<Response>;
}

/** A page, and whether others may have it. */
export interface MadePage {
	response: Response;
	mayBeShared: boolean;
}

const compress: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>>> = {
	br: (bytes) =>
		promisify(brotliCompress)(bytes, {
			params: {
				[constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
				[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
			}
		}),
	gzip: (bytes) => promisify(gzip)(bytes)
};

/** Whether an answer is a whole page that says nothing to one browser alone. */
function isWhole({ status, headers }: Response): boolean {
	return (
		status === 200 &&
		headers.has('etag') &&
		!headers.has('set-cookie') &&
		!(headers.get('cache-control') ?? '').includes('no-store')
	);
}

async function keptOf(response: Response, stamp: string): Promise<SharedPage> {
	const etag = response.headers.get('etag') ?? '';
	return {
		stamp,
		etag,
		headers: [...response.headers].filter(([name]) => !OWN.has(name)),
		body: new Uint8Array(await response.arrayBuffer()),
		encoded: new Map()
	};
}

/** A copy for one client, whose headers are its own. */
async function copyOf(page: SharedPage, acceptEncoding: string | null): Promise<Response> {
	const headers = new Headers(page.headers.map(([name, value]): [string, string] => [name, value]));
	headers.set('vary', 'Accept-Encoding');
	const encoding = page.body.length < SMALLEST_COMPRESSED ? null : encodingFor(acceptEncoding);
	if (encoding === null) {
		headers.set('etag', page.etag);
		headers.set('content-length', String(page.body.length));
		return new Response(page.body, { headers });
	}
	let bytes = page.encoded.get(encoding);
	if (bytes === undefined) {
		bytes = compress[encoding](page.body).then((compressed) => new Uint8Array(compressed));
		page.encoded.set(encoding, bytes);
	}
	// Other bytes are another entity (RFC 9110, 8.8.3.3).
	headers.set('etag', page.etag.replace(/"$/, `-${encoding}"`));
	headers.set('content-encoding', encoding);
	const body = await bytes;
	headers.set('content-length', String(body.length));
	return new Response(body, { headers });
}

/** @param stamp another text after each change of what pages show, as far as it is known here */
export function createSharedPages(stamp: () => string): SharedPages {
	const kept = new LRUCache<string, SharedPage>({
		maxSize: MOST_BYTES,
		// Compressed it takes a fraction of it again.
		sizeCalculation: ({ body }, key) => Math.ceil(body.length * 1.5) + key.length + 1024,
		ttl: FRESH_MS
	});
	const underWay = new Map<string, Promise<SharedPage | null>>();

	return {
		async answer(key, acceptEncoding, make) {
			const now = stamp();
			const known = kept.get(key);
			if (known?.stamp === now) return copyOf(known, acceptEncoding);
			const waiting = underWay.get(`${now} ${key}`);
			if (waiting !== undefined) {
				const page = await waiting;
				return page === null ? (await make()).response : copyOf(page, acceptEncoding);
			}
			const { promise, resolve } = Promise.withResolvers<SharedPage | null>();
			underWay.set(`${now} ${key}`, promise);
			const start = performance.now();
			let page: SharedPage | null = null;
			try {
				const { response, mayBeShared } = await make();
				if (!mayBeShared || !isWhole(response)) return response;
				page = await keptOf(response, now);
				kept.purgeStale();
				// From when it was begun: what happened since may not be in it.
				kept.set(key, page, { start });
				return await copyOf(page, acceptEncoding);
			} finally {
				underWay.delete(`${now} ${key}`);
				resolve(page);
			}
		}
	};
}
