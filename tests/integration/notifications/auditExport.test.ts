import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { auditExportConfig } from '#lib/server/platform/config/mail.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { authOver } from '../../support/members.ts';
import { startServer, TestClock } from './world.ts';

/** A syslog server that keeps its messages; while it is `away` it ends connections at once. */
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
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
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
});
