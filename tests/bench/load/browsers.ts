/** Simulated browsers: each opens one event stream, as a visitor or as a member. */
import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import { openDatabase } from '#lib/server/database.ts';
import { addPerson, authOver } from '../../support/members.ts';

/** Streams of one member: members have several browsers, some have many. */
const EACH = 10;
/** Visitors behind one address. */
const NEIGHBOURS = 10;

export interface Browser {
	/** Headers of its requests. */
	headers: Record<string, string>;
}

/** Half of them are visitors, half members with their own sessions; each group has its own client address. */
export async function newBrowsers(
	place: { dataDir: string; url?: string },
	count: number
): Promise<Browser[]> {
	const db = await openDatabase(place);
	try {
		const database = { db, dataDir: place.dataDir };
		const { sessions } = await authOver(database);
		const browsers: Browser[] = [];
		for (let n = 0; n < count; n++) {
			const group = Math.floor(n / NEIGHBOURS);
			const headers = { 'x-forwarded-for': `10.${group >> 8}.${group & 255}.1` };
			if (n % 2 === 0) browsers.push({ headers });
			else browsers.push({ headers: { ...headers, cookie: '' } });
		}
		let account: { id: string } | null = null;
		let given = 0;
		for (const { headers } of browsers.filter((one) => 'cookie' in one.headers)) {
			account =
				given % EACH === 0 || account === null ? await addPerson(database, 'viewer') : account;
			given += 1;
			const from = { address: '10.0.0.1', userAgent: 'bench' };
			headers['cookie'] = `${SESSION_COOKIE}=${await sessions.begin(account.id, from)}`;
		}
		return browsers;
	} finally {
		await db.close();
	}
}

/** Open streams, and statistics of their events. */
export interface Streams {
	/** Called with each block that a stream reports. */
	onBlock: (chain: string, height: number) => void;
	/** How many are open now. */
	open: number;
	end(): void;
}

const EVENT = /^event: block\nid: [^\n]*\ndata: (.*)$/gm;

/** Opens a stream for each browser. @throws when one is refused */
export async function openStreams(url: string, browsers: readonly Browser[]): Promise<Streams> {
	const agent = new Agent({ maxSockets: Infinity });
	const sent: ClientRequest[] = [];
	const streams: Streams = {
		onBlock: () => undefined,
		open: 0,
		end: () => sent.forEach((one) => one.destroy())
	};
	for (const { headers } of browsers) {
		const asked = request(`${url}/api/events`, { agent, headers }).end();
		sent.push(asked);
		const [answer] = (await once(asked, 'response')) as [IncomingMessage];
		if (answer.statusCode !== 200) throw new Error(`a stream was answered ${answer.statusCode}`);
		streams.open += 1;
		let rest = '';
		answer.setEncoding('utf8').on('data', (text: string) => {
			const parts = (rest + text).split('\n\n');
			rest = parts.pop() ?? '';
			for (const [, data = ''] of parts.join('\n').matchAll(EVENT)) {
				const { chain, height } = JSON.parse(data) as { chain: string; height: number };
				streams.onBlock(chain, height);
			}
		});
		const gone = (): void => void (streams.open -= 1);
		answer.once('close', gone).on('error', () => undefined);
		asked.on('error', () => undefined);
	}
	return streams;
}
