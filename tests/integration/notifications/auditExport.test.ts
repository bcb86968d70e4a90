import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
	createServer as createTlsServer,
	getCACertificates,
	setDefaultCACertificates
} from 'node:tls';
import { expect, test } from 'vitest';
import { openKeys } from '#lib/server/access/accounts/keys.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { auditExportConfig } from '#lib/server/platform/config/mail.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { authOver } from '../../support/members.ts';
import { startServer, TestClock } from './world.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

/** A self-signed certificate for `electrum.example`. */
const testdata = (name: string): string =>
	readFileSync(join(import.meta.dirname, '../egress/testdata', name), 'utf8');
const CERTIFICATE = { cert: testdata('localhost.cert.pem'), key: testdata('localhost.key.pem') };

/**
 * Makes this process trust the tests' certificate.
 * @returns a function that ends the trust
 */
function trustAuthority(): () => void {
	const usual = getCACertificates('default');
	setDefaultCACertificates([...usual, CERTIFICATE.cert]);
	return () => setDefaultCACertificates(usual);
}

/** An HTTPS server that collects lines. */
async function startCollector() {
	const batches: { type: string; authorization: string; lines: string[] }[] = [];
	const state = { status: 200 };
	const server = createHttpsServer(CERTIFICATE, (request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { 'content-type': type = '', authorization = '' } = request.headers;
			const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n');
			if (state.status === 200) batches.push({ type, authorization, lines });
			response.writeHead(state.status).end();
		});
	});
	const port = await listening(server);
	return {
		url: `https://electrum.example:${port}/ingest`,
		batches,
		state,
		stop: () => closeAtOnce(server)
	};
}

/** A syslog server that stores its messages; while it is `away` it closes connections at once. */
async function startSyslog() {
	const messages: string[] = [];
	const state = { away: false };
	const server = createServer({ allowHalfOpen: false }, (socket) => {
		if (state.away) return void socket.resetAndDestroy();
		const chunks: Buffer[] = [];
		socket.on('error', () => undefined);
		socket.on('data', (chunk) => chunks.push(chunk));
		socket.on('end', () => {
			// Octet counting of RFC 6587.
			let rest = Buffer.concat(chunks);
			while (rest.length > 0) {
				const blank = rest.indexOf(32);
				const length = Number(rest.subarray(0, blank).toString());
				messages.push(rest.subarray(blank + 1, blank + 1 + length).toString('utf8'));
				rest = rest.subarray(blank + 1 + length);
			}
		});
	});
	const port = await listening(server);
	return { url: `syslog://127.0.0.1:${port}`, messages, state, stop: () => server.close() };
}

describeOnBothDatabases('the stream of audit events', (database) => {
	test('brings every event in order, and goes on where it was when the server is back', async () => {
		const auth = await authOver(database);
		const syslog = await startSyslog();
		const clock = new TestClock();
		const to = auditExportConfig(syslog.url, null)!;
		const server = await startServer(database.db, auth, clock, { auditExport: to });
		const act = (target: string): Promise<void> =>
			auth.audit.append({
				actor: 'ada',
				action: 'book.added',
				target,
				detail: { password: 'canary-password', name: 'Grace\nHopper' }
			});
		await act('one');
		await server.pass(3_000);
		syslog.state.away = true;
		await act('two');
		clock.now += 3_000;
		await expect(server.advanceDue()).rejects.toThrow();
		syslog.state.away = false;
		await act('three');
		const restarted = await startServer(database.db, auth, clock, { auditExport: to });
		await restarted.pass(60_000);
		const parsed = syslog.messages.map((message) => {
			const [head = '', json = ''] = message.split('\u{feff}');
			expect(head).toMatch(/^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ komodeck - \S+ - $/);
			return JSON.parse(json) as { seq: number; target: string; hash: string };
		});
		expect(parsed.map(({ target }) => target).slice(-3)).toEqual(['one', 'two', 'three']);
		expect(parsed.map(({ seq }) => seq)).toEqual(parsed.map((_, at) => at + 1));
		expect(parsed.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
		expect(syslog.messages.join('')).not.toContain('canary-password');
		expect(await restarted.exported()).toEqual({ url: syslog.url, last: parsed.length });
		syslog.stop();
	});

	test('over HTTPS goes to a server whose certificate is trusted, with its token, and again until it is taken', async () => {
		const auth = await authOver(database);
		const collector = await startCollector();
		const clock = new TestClock();
		const to = auditExportConfig(collector.url, 'token-of-the-collector')!;
		const options = { auditExport: to, address: '127.0.0.1' };
		await auth.audit.append({ actor: 'ada', action: 'book.added', target: 'over https' });
		const stranger = await startServer(database.db, auth, clock, options);
		await expect(stranger.advanceDue()).rejects.toMatchObject({ code: 'egress.tls' });
		expect(collector.batches).toEqual([]);
		expect((await stranger.exported())?.last).toBe(0);

		const distrust = trustAuthority();
		try {
			collector.state.status = 503;
			clock.now += 60_000;
			await expect(stranger.advanceDue()).rejects.toMatchObject({ code: 'notice.answered' });
			collector.state.status = 200;
			await stranger.pass(60_000);
		} finally {
			distrust();
		}
		const [batch] = collector.batches;
		expect(batch).toMatchObject({
			type: 'application/x-ndjson',
			authorization: 'Bearer token-of-the-collector'
		});
		const events = collector.batches
			.flatMap(({ lines }) => lines)
			.map((line) => JSON.parse(line) as { seq: number; target: string });
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
		expect(events.at(-1)?.target).toBe('over https');
		expect((await stranger.exported())?.last).toBe(events.length);
		const rows = await database.db.selectFrom('notice_jobs').select('id').execute();
		expect(JSON.stringify(rows)).not.toContain('token-of-the-collector');
		collector.stop();
	});

	test('over TLS syslog is refused where the certificate is not trusted, and whole where it is', async () => {
		const auth = await authOver(database);
		let got = '';
		const server = createTlsServer(CERTIFICATE, (socket) => {
			socket.on('error', () => undefined);
			socket.on('data', (part) => void (got += part.toString('utf8')));
		});
		server.on('tlsClientError', () => undefined);
		const port = await listening(server);
		const clock = new TestClock();
		const to = auditExportConfig(`syslogs://electrum.example:${port}`, null)!;
		await auth.audit.append({ actor: 'ada', action: 'book.added', target: 'over tls' });
		const sender = await startServer(database.db, auth, clock, {
			auditExport: to,
			address: '127.0.0.1'
		});
		await expect(sender.advanceDue()).rejects.toMatchObject({ code: 'egress.tls' });
		expect(got).toBe('');
		const distrust = trustAuthority();
		try {
			await sender.pass(60_000);
		} finally {
			distrust();
		}
		expect(got).toMatch(/^\d+ <109>1 /);
		expect(got).toContain('over tls');
		server.close();
	});
});

describeOnBothDatabases('the retention of audit events', (database) => {
	const DAY = 24 * 60 * 60 * 1_000;

	test('keeps the events that the stream has not brought to its server, and says so', async () => {
		const auth = await authOver(database);
		const syslog = await startSyslog();
		const clock = new TestClock();
		const to = auditExportConfig(syslog.url, null)!;
		const server = await startServer(database.db, auth, clock, { auditExport: to });
		const { audit: keys } = await openKeys(database.db, { dataDir: database.dataDir });
		const before = createAudit(database.db, keys, { clock: () => Date.now() - 3 * DAY });
		const actLongAgo = async (target: string): Promise<void> => {
			await before.append({ actor: 'ada', action: 'book.added', target });
			await before.checkpointOlderThan(Date.now());
		};
		const drop = async (): Promise<string> => {
			const place = { dataDir: database.dataDir, url: database.options.url };
			const env = { KOMODECK_AUDIT_EXPORT: syslog.url };
			return (await command(place, ['audit', 'drop', '--older-than', '1'], { env })).out;
		};
		await actLongAgo('sent');
		await server.pass(3_000);
		syslog.state.away = true;
		await actLongAgo('not sent');
		await actLongAgo('not sent either');
		clock.now += 3_000;
		await expect(server.advanceDue()).rejects.toThrow();
		// Without them the clock would be doubted.
		for (const hours of [30, 20, 10, 0]) {
			const then = Date.now() - hours * (DAY / 24);
			const recent = createAudit(database.db, keys, { clock: () => then });
			await recent.append({ actor: 'ada', action: 'rpc.test' });
		}
		expect(await drop()).toMatch(/^Deleted: segments 1 to 1, .+\nKept: segment 2 and all later /);
		expect(await drop()).toMatch(/^Kept: segment 2 and all later /);

		syslog.state.away = false;
		await server.pass(60_000);
		const targets = syslog.messages.map(
			(message) => (JSON.parse(message.split('\u{feff}')[1]!) as { target: string }).target
		);
		expect(targets).toEqual(expect.arrayContaining(['sent', 'not sent', 'not sent either']));
		expect(await drop()).toMatch(/^Deleted: segments 2 to 3, .+\n$/);
		expect(await auth.audit.verify()).toMatchObject({ ok: true });
		syslog.stop();
	});
});
