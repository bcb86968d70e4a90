/** Notices over a suite's database, with a clock that the test controls, and with external servers. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { ChangeSource } from '#lib/server/access/notifications/changesJob.ts';
import {
	createNotifications,
	type Notifications
} from '#lib/server/access/notifications/notifications.ts';
import type { LevelSource } from '#lib/server/access/notifications/watchesJob.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { createClockDoubt } from '#lib/server/platform/audit-trail/clockDoubt.ts';
import type { Db } from '#lib/server/database.ts';
import type { AuditExportConfig, SmtpConfig } from '#lib/server/platform/config/mail.ts';
import { readPrivateList } from '#lib/server/platform/net/ranges.ts';
import { createCipher } from '#lib/server/platform/secrets/encrypt.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

export const ORIGIN = 'https://deck.example.org';

interface WorldOptions {
	smtp?: SmtpConfig;
	auditExport?: AuditExportConfig;
	/** Private servers that deliveries may reach. */
	listed?: string;
	/** The address to which every name resolves. */
	address?: string;
	changes?: readonly ChangeSource[];
	levels?: readonly LevelSource[];
}

/** A clock that only the test advances. */
export class TestClock {
	now = Date.now();
	/** Milliseconds by which the wall clock is wrong. */
	ahead = 0;
	read = (): number => this.now + this.ahead;
	steady = (): number => this.now;
}

/** One server of an installation. */
export async function startServer(
	db: Db,
	auth: Auth,
	clock: TestClock,
	options: WorldOptions = {}
): Promise<Notifications & { pass(ms: number): Promise<void> }> {
	const doubt = createClockDoubt(clock.read, clock.steady);
	await doubt(db);
	const server = await createNotifications({
		db,
		doubt,
		audit: auth.audit,
		cipher: createCipher(auth.keys.derive('notifications')),
		smtp: options.smtp ?? null,
		auditExport: options.auditExport ?? null,
		listed: readPrivateList(options.listed ?? '127.0.0.1', 'a test'),
		origin: ORIGIN,
		changes: options.changes ?? [],
		levels: options.levels ?? [],
		sessionRule: auth.sessions.rule,
		factorSettings: auth.settings.values,
		clock: clock.read,
		...(options.address === undefined
			? {}
			: { resolve: () => Promise.resolve([options.address ?? '']) })
	});
	return {
		...server,
		/** Lets time pass, and runs the work that is due then. */
		async pass(ms) {
			clock.now += ms;
			await server.advanceDue();
		}
	};
}

/**
 * The database of a process that ends after this many writes since a delivery was accepted.
 * @param taken whether the delivery was accepted
 */
export function dyingDb(db: Db, taken: () => boolean, writes: number): Db {
	let left = writes;
	return new Proxy(db, {
		get(target, name) {
			const isWrite = name === 'transaction' || name === 'updateTable';
			if (isWrite && taken() && (left -= 1) < 0) throw new Error('This process has ended.');
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		}
	});
}

export interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Whether a delivery has a signature with this secret. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
	const signed = `${String(headers['komodeck-timestamp'])}.${String(headers['komodeck-id'])}.${body}`;
	const mac = createHmac('sha256', secret).update(signed).digest('hex');
	return String(headers['komodeck-signature']).split(',').includes(`v1=${mac}`);
}

/** An HTTP server that stores what it receives. */
export async function startReceiver() {
	const received: Received[] = [];
	let answer: { status: number; headers?: Record<string, string> } = { status: 204 };
	let isEndless = false;
	let inTurn: number[] = [];
	let meanwhile: (() => Promise<void>) | null = null;
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks).toString('utf8');
			received.push({ path: request.url ?? '', headers: request.headers, body });
			const act = meanwhile ?? (() => Promise.resolve());
			meanwhile = null;
			void act().then(() => {
				const status = inTurn.shift() ?? answer.status;
				response.writeHead(status, answer.headers);
				if (isEndless) response.write('a page that does not end '.repeat(4_000));
				else response.end('an answer that nobody shows');
			});
		});
	});
	const port = await listening(server);
	return {
		port,
		url: `http://127.0.0.1:${port}/hook?key=in-the-path`,
		received,
		/** Sets the response from now on. */
		answer(status: number, headers?: Record<string, string>) {
			answer = { status, ...(headers ? { headers } : {}) };
		},
		/** Lets the body of each response begin with more than anyone reads, and never end. */
		endless() {
			isEndless = true;
		},
		/** Runs before the response to the next request. */
		meanwhile(act: () => Promise<void>) {
			meanwhile = act;
		},
		/** Sets the responses to the next requests, before the permanent one. */
		answerInTurn(...statuses: number[]) {
			inTurn = statuses;
		},
		stop: () => closeAtOnce(server)
	};
}
