/**
 * Uses the product like a browser and a script: its forms, the data of its pages, its JSON API and its RPC API.
 */
import { ADMIN } from './product.ts';

/** Result of a form: a new address, or the values that the page shows again. */
export type FormOutcome =
	{ kind: 'redirect'; location: string } | { kind: 'refused'; status: number; shown: string };

export interface ProductClient {
	/** The session of its pages, `name=value`. */
	readonly cookie: string;
	/** The API token of its calls. */
	readonly token: string;
	/** Submits a form of a page, like a page with JavaScript. */
	submit(path: string, fields: Fields): Promise<FormOutcome>;
	/** A page as a browser first loads it, or a response of the JSON API; redirects are not followed. */
	text(path: string): Promise<{ status: number; location: string | null; text: string }>;
	/** The data of a page. */
	page(path: string): Promise<Readonly<Record<string, unknown>>>;
	/** All rows of a list of the JSON API. */
	rows<Row>(path: string): Promise<Row[]>;
	/** Posts a body to the RPC API. */
	rpc(daemon: string, body: string): Promise<{ status: number; text: string }>;
	/** The metrics in the format of Prometheus. */
	metrics(): Promise<string>;
}

/** A response of the product with which no client can continue. */
class ProductFailure extends Error {
	override readonly name = 'ProductFailure';
	readonly code = 'product-failure';
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

const failure = (what: string, status: number, text: string): ProductFailure =>
	new ProductFailure(status, `${what}: ${status} ${text.slice(0, 300)}`);

/**
 * A value in SvelteKit's serialization: a list in which members and elements are indexes of other values, and a
 * value that JSON lacks is a list that begins with the name of its type. Of those only big integers and dates
 * are read.
 */
function revive(flat: readonly unknown[], place = 0): unknown {
	if (place < 0) return undefined;
	const value = flat[place];
	if (typeof value !== 'object' || value === null) return value;
	if (!Array.isArray(value)) {
		const members = Object.entries(value as Record<string, number>);
		return Object.fromEntries(members.map(([name, at]) => [name, revive(flat, at)]));
	}
	const [type, text] = value as unknown[];
	if (typeof type !== 'string') return (value as number[]).map((at) => revive(flat, at));
	return type === 'BigInt' ? BigInt(String(text)) : String(text);
}

const members = (value: unknown): Record<string, unknown> =>
	typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Every text of a serialized value that looks like a sentence, for a report. */
function sentencesOf(serialized: string): string {
	const flat = JSON.parse(serialized) as unknown[];
	const texts = flat.filter((value): value is string => typeof value === 'string');
	return [...new Set(texts.filter((text) => / .*[.:]/.test(text)))].join(' ');
}

interface SerializedPage {
	nodes: ({ type: 'data'; data: unknown[] } | { type: string } | null)[];
}

/** Fields of a form; a list when a name occurs several times. */
type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

const form = (fields: Fields): URLSearchParams =>
	new URLSearchParams(
		Array.isArray(fields)
			? (fields as [string, string][])
			: { ...(fields as Record<string, string>) }
	);

/** Signs in and makes an API token for the RPC API. */
export async function signIn(
	url: string,
	person: { name: string; password: string } = ADMIN
): Promise<ProductClient> {
	const headers = { origin: url };
	const login = await fetch(`${url}/login`, {
		method: 'POST',
		redirect: 'manual',
		headers: { ...headers, accept: 'text/html' },
		body: form({ ...person, next: '/' })
	});
	await login.body?.cancel();
	const cookie = login.headers
		.getSetCookie()
		.map((line) => line.split(';')[0] ?? '')
		.join('; ');
	if (!/komodeck_session=./.test(cookie)) throw failure('login', login.status, '');

	const made = await fetch(`${url}/account?/createToken`, {
		method: 'POST',
		headers: { ...headers, cookie, accept: 'application/json', 'x-sveltekit-action': 'true' },
		body: form({ name: 'replay', role: 'admin', expires: '90' })
	});
	const { data = '[]' } = (await made.json()) as { data?: string };
	const token = members(revive(JSON.parse(data) as unknown[]))['token'];
	if (typeof token !== 'string') throw failure('API token', made.status, data);
	return clientOf(url, { cookie, token });
}

/** Uses the product with this session, `name=value`, and this API token. */
export function clientOf(
	url: string,
	{ cookie, token }: { cookie: string; token: string }
): ProductClient {
	const headers = { origin: url };
	const get = async (path: string, accept: string): Promise<Response> =>
		fetch(`${url}${path}`, { redirect: 'manual', headers: { cookie, accept } });

	return {
		cookie,
		token,
		async submit(path, fields) {
			const answer = await fetch(`${url}${path}`, {
				method: 'POST',
				redirect: 'manual',
				headers: { ...headers, cookie, accept: 'application/json', 'x-sveltekit-action': 'true' },
				body: form(fields)
			});
			const text = await answer.text();
			let said: { type?: string; status?: number; location?: string; data?: string };
			try {
				said = JSON.parse(text) as typeof said;
			} catch {
				throw failure(`form ${path}`, answer.status, text);
			}
			if (said.type === 'redirect' && said.location !== undefined) {
				return { kind: 'redirect', location: said.location };
			}
			if (said.type === 'failure' && said.data !== undefined) {
				return {
					kind: 'refused',
					status: said.status ?? answer.status,
					shown: sentencesOf(said.data)
				};
			}
			throw failure(`form ${path}`, said.status ?? answer.status, text);
		},
		async text(path) {
			const answer = await get(path, 'text/html, application/json;q=0.9');
			const { status } = answer;
			return { status, location: answer.headers.get('location'), text: await answer.text() };
		},
		async page(path) {
			const [place, query] = path.split('?');
			const search = query === undefined ? '' : `?${query}`;
			const answer = await get(`${place}/__data.json${search}`, 'application/json');
			const text = await answer.text();
			if (!answer.ok) throw failure(`page ${path}`, answer.status, text);
			const { nodes = [] } = JSON.parse(text) as SerializedPage;
			const last = nodes.at(-1);
			if (!last || !('data' in last)) throw failure(`page ${path}`, answer.status, text);
			return members(revive(last.data));
		},
		async rows<Row>(path: string) {
			const all: Row[] = [];
			let cursor: string | null = '';
			while (cursor !== null) {
				const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
				const joint = path.includes('?') ? '&' : '?';
				const answer = await get(`/api/v1/${path}${joint}limit=1000${more}`, 'application/json');
				const text = await answer.text();
				if (!answer.ok) throw failure(`list ${path}`, answer.status, text);
				const list = JSON.parse(text) as { rows: Row[]; next: string | null };
				all.push(...list.rows);
				cursor = list.next;
			}
			return all;
		},
		async rpc(daemon, body) {
			const answer = await fetch(`${url}/api/rpc/${encodeURIComponent(daemon)}`, {
				method: 'POST',
				headers: { authorization: `Bearer ${token}` },
				body
			});
			return { status: answer.status, text: await answer.text() };
		},
		async metrics() {
			const answer = await fetch(`${url}/metrics`, {
				headers: { authorization: `Bearer ${token}` }
			});
			const text = await answer.text();
			if (!answer.ok) throw failure('metrics', answer.status, text);
			return text;
		}
	};
}
