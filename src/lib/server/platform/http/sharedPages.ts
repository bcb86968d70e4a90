/**
 * A cache for pages that are the same for all visitors: each is rendered once and served until something
 * changes, for at most a second. Concurrent requests for a page wait for a single rendering.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { BROTLI_QUALITY, encodingFor, SMALLEST_COMPRESSED, type Encoding } from './encoding.ts';

/** Lifetime of a page in the cache, in milliseconds: how far it may lag behind the daemons. */
const FRESH_MS = 1_000;
/** Limit for all cached pages together. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Headers that are set for each copy. */
const OWN: ReadonlySet<string> = new Set(['etag', 'content-length']);

/** A rendered page. */
interface SharedPage {
	/** The change stamp at the time of rendering. */
	stamp: string;
	headers: readonly (readonly [name: string, value: string])[];
	etag: string;
	body: Uint8Array<ArrayBuffer>;
	encoded: Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>;
}

export interface SharedPages {
	/**
	 * Returns the response for a key from the cache or from `make`. A response that cannot be shared is made
	 * for each request.
	 * @param key everything that the page depends on, apart from what the stamp covers
	 * @param acceptEncoding the client's Accept-Encoding header
	 */
	answer(
		key: string,
		acceptEncoding: string | null,
		make: () => Promise<MadePage>
	): Promise<Response>;
}

/** A response, and whether it may be served to other visitors. */
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

/** Whether a response is a complete page without anything specific to one browser. */
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

/** Creates the response for one client, with the encoding that it accepts. */
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
	// Different bytes need a different entity tag (RFC 9110, 8.8.3.3).
	headers.set('etag', page.etag.replace(/"$/, `-${encoding}"`));
	headers.set('content-encoding', encoding);
	const body = await bytes;
	headers.set('content-length', String(body.length));
	return new Response(body, { headers });
}

/** @param stamp returns another text after each known change of what pages show */
export function createSharedPages(stamp: () => string): SharedPages {
	const kept = new LRUCache<string, SharedPage>({
		maxSize: MOST_BYTES,
		// The compressed copies take a fraction more.
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
				// The lifetime counts from the start of rendering: later changes may be missing from the page.
				kept.set(key, page, { start });
				return await copyOf(page, acceptEncoding);
			} finally {
				underWay.delete(`${now} ${key}`);
				resolve(page);
			}
		}
	};
}
