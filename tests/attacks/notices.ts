/** Attacks on notices: of other members, with foreign links, and on deliveries and their recipients. */
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { resolve } from 'node:path';
import { vi } from 'vitest';
import { outcome, type Attack } from './attack.ts';
import { call, LISTED_PRIVATE, page, postForm, type Person, type Target } from './target.ts';

/** A self-signed certificate with another name. */
const testdata = (name: string): Buffer =>
	readFileSync(resolve(import.meta.dirname, '../integration/egress/testdata', name));

async function open(server: Server, host: string): Promise<number> {
	server.listen(0, host);
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/** A server in the private network that counts its requests. */
async function inside(): Promise<{ port: number; visits(): number; stop(): void }> {
	let visits = 0;
	const server = createServer((socket) => {
		visits += 1;
		socket.destroy();
	});
	const port = await open(server, '127.0.0.1');
	return { port, visits: () => visits, stop: () => server.close() };
}

/** Waits until a delivery to this destination has been attempted. */
async function untilTried(target: Target, destination: string): Promise<void> {
	await vi.waitFor(
		async () => {
			const row = await target.db
				.selectFrom('deliveries')
				.select('attempts')
				.where('destination', '=', destination)
				.where('attempts', '>', 0n)
				.executeTakeFirst();
			if (!row) throw new Error(`Nothing went to ${destination}.`);
		},
		{ timeout: 30_000, interval: 50 }
	);
}

/**
 * Adds a webhook through its form, sends a test, waits for the attempt and removes it; false: it was not added.
 */
async function tried(target: Target, { cookie }: Person, url: string): Promise<boolean> {
	const post = (action: string, fields: Record<string, string>): Promise<string> =>
		postForm(target.url, `/admin/notifications?/${action}`, fields, { cookie }).then((answer) =>
			answer.text()
		);
	await post('add', { url, kinds: 'audit' });
	const row = await target.db
		.selectFrom('webhooks')
		.select('id')
		.where('url', '=', new URL(url).href)
		.executeTakeFirst();
	if (!row) return false;
	await post('test', { id: row.id });
	await untilTried(target, `webhook:${row.id}`);
	await post('remove', { id: row.id });
	return true;
}

/** A browser's subscription at a push service, as its page sends it. */
export function subscriptionAt(endpoint: string): string {
	const keys = {
		p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
		auth: randomBytes(16).toString('base64url')
	};
	return JSON.stringify({ endpoint, keys });
}

/** Inserts a notice of a member as a database row. */
async function planted(target: Target, { account }: Person, path: string): Promise<string> {
	const id = randomUUID();
	await target.db
		.insertInto('notices')
		.values({
			id,
			account_id: account.id,
			source: `attack:${id}`,
			kind: 'audit',
			message: '{"code":"audit.broken","params":{}}',
			path,
			bell: 1n,
			created_at: Date.now()
		})
		.execute();
	return id;
}

/** Waits until the notices of all events so far have been created. */
async function untilTold(target: Target): Promise<void> {
	const { last } = await target.auth.audit.status();
	await vi.waitFor(
		async () => {
			const { position } = await target.db
				.selectFrom('notice_jobs')
				.select('position')
				.where('id', '=', 'events')
				.executeTakeFirstOrThrow();
			if (position < BigInt(last)) throw new Error(`Told up to ${position} of ${last}.`);
		},
		{ timeout: 30_000, interval: 50 }
	);
}

export const noticeAttacks: readonly Attack[] = [
	{
		name: 'notice-of-another-member',
		class: 'privilege escalation',
		async run(target) {
			const id = await planted(target, await target.person('admin'), '/admin/audit');
			const { cookie } = await target.person('viewer');
			const seen: string[] = [];
			for (const action of ['open', 'read', 'open&/read']) {
				const answer = await postForm(target.url, `/notifications?/${action}`, { id }, { cookie });
				await answer.body?.cancel();
				seen.push(`${answer.status} ${answer.headers.get('location') ?? ''}`);
			}
			const row = await target.db
				.selectFrom('notices')
				.select('read_at')
				.where('id', '=', id)
				.executeTakeFirstOrThrow();
			const led = seen.some((line) => line.includes('/admin/audit'));
			return outcome(led || row.read_at !== null, seen, seen.length);
		}
	},
	{
		name: 'notice-beyond-the-role',
		class: 'information disclosure',
		async run(target) {
			const { cookie } = await target.person('viewer');
			const { account, token } = await target.person('operator', 'none');
			await call(target, token, '{"id":1,"method":"getnewaddress"}');
			await untilTold(target);
			const html = await (await page(target, '/notifications', cookie)).text();
			return outcome(html.includes(account.name), 'the list of notices of a viewer');
		}
	},
	{
		name: 'notice-that-leads-off-site',
		class: 'open redirect',
		async run(target) {
			const person = await target.person('viewer');
			const places = [
				'https://evil.example/',
				'//evil.example',
				'/\\evil.example',
				'@evil.example'
			];
			const led: string[] = [];
			for (const place of places) {
				const id = await planted(target, person, place);
				const { cookie } = person;
				const answer = await postForm(target.url, '/notifications?/open', { id }, { cookie });
				await answer.body?.cancel();
				const location = answer.headers.get('location') ?? '';
				if (location !== '/') led.push(location);
			}
			return outcome(led.length > 0, led, places.length);
		}
	},
	{
		name: 'webhook-secret-in-the-database',
		class: 'information disclosure',
		async run(target) {
			const { cookie } = await target.person('admin');
			const url = `https://hooks.example.org/${randomUUID()}`;
			const fields = { url, kinds: 'audit' };
			const path = '/admin/notifications?/add';
			const html = await (await postForm(target.url, path, fields, { cookie })).text();
			const [secret = ''] = /kdw_[\w-]{40,}/.exec(html) ?? [];
			if (secret === '') throw new Error(`No webhook was added: ${html.slice(0, 300)}`);
			const again = await page(target, '/admin/notifications', cookie);
			const shown = (await again.text()).includes(secret);
			const row = await target.db
				.selectFrom('webhooks')
				.selectAll()
				.where('url', '=', url)
				.executeTakeFirstOrThrow();
			await target.db.deleteFrom('webhooks').where('id', '=', row.id).execute();
			const stored = Object.values(row).some((value) => String(value).includes(secret));
			return outcome(shown || stored, { shown, stored }, 2);
		}
	},
	{
		name: 'webhook-into-the-private-network',
		class: 'SSRF',
		async run(target) {
			const admin = await target.person('admin');
			const { port, visits, stop } = await inside();
			// As an address, in other notations, and as a name that resolves to it.
			const hosts = ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost', 'localhost.'];
			const seen: string[] = [];
			for (const host of hosts) {
				const before = visits();
				await tried(target, admin, `https://${host}:${port}/hook`);
				if (visits() > before) seen.push(host);
			}
			stop();
			return outcome(seen.length > 0, seen, hosts.length);
		}
	},
	{
		name: 'webhook-sent-on-into-the-private-network',
		class: 'SSRF',
		async run(target) {
			const { port, visits, stop } = await inside();
			let status = 302;
			let asked = 0;
			const redirecting = createHttpServer((request, response) => {
				asked += 1;
				request.resume();
				response.writeHead(status, { location: `http://127.0.0.1:${port}/behind` }).end();
			});
			const outside = await open(redirecting, LISTED_PRIVATE);
			const admin = await target.person('admin');
			const statuses = [302, 307, 308];
			for (status of statuses) {
				await tried(target, admin, `http://${LISTED_PRIVATE}:${outside}/${status}`);
			}
			redirecting.close();
			stop();
			if (asked !== statuses.length) throw new Error(`The first server was asked ${asked} times.`);
			return outcome(visits() > 0, { visits: visits() }, statuses.length);
		}
	},
	{
		name: 'webhook-to-a-forged-certificate',
		class: 'information disclosure',
		async run(target) {
			let got = 0;
			const options = {
				cert: testdata('localhost.cert.pem'),
				key: testdata('localhost.key.pem')
			};
			const server = createHttpsServer(options, (request, response) => {
				got += 1;
				request.resume();
				response.end();
			});
			const port = await open(server, LISTED_PRIVATE);
			await tried(target, await target.person('admin'), `https://${LISTED_PRIVATE}:${port}/hook`);
			server.close();
			return outcome(got > 0, { got });
		}
	},
	{
		name: 'push-into-the-private-network',
		class: 'SSRF',
		async run(target) {
			const { account, cookie } = await target.person('viewer');
			const { port, visits, stop } = await inside();
			const subscription = subscriptionAt(`https://localhost:${port}/push`);
			const path = '/account/notifications?/turnOn';
			const answer = await postForm(target.url, path, { subscription }, { cookie });
			await answer.body?.cancel();
			const row = await target.db
				.selectFrom('push_subscriptions')
				.select('id')
				.where('account_id', '=', account.id)
				.executeTakeFirstOrThrow();
			await target.auth.audit.append({
				actor: account.name,
				action: 'password.changed',
				target: account.name
			});
			await untilTried(target, `push:${row.id}`);
			await target.db.deleteFrom('push_subscriptions').where('id', '=', row.id).execute();
			stop();
			return outcome(visits() > 0, { visits: visits() });
		}
	},
	{
		name: 'mail-to-a-second-address',
		class: 'response splitting',
		async run(target) {
			const { cookie } = await target.person('viewer');
			const eve = `${randomUUID()}@example.org`;
			const typed = [
				`ada@example.org, ${eve}`,
				`ada@example.org\r\nBcc: ${eve}`,
				`ada@example.org>, <${eve}`
			];
			const path = '/account/notifications?/email';
			for (const email of typed) {
				await (await postForm(target.url, path, { email }, { cookie })).body?.cancel();
			}
			const got = target.post.mails.filter(
				({ to, source }) => to.includes(eve) || source.includes(eve)
			);
			return outcome(
				got.length > 0,
				got.map(({ to }) => to),
				typed.length
			);
		}
	},
	{
		name: 'mails-to-a-stranger',
		class: 'denial of service',
		async run(target) {
			const { cookie } = await target.person('viewer');
			const email = `${randomUUID()}@example.org`;
			const path = '/account/notifications?/email';
			const asked = 8;
			for (let n = 0; n < asked; n += 1) {
				await (await postForm(target.url, path, { email }, { cookie })).body?.cancel();
			}
			const got = target.post.mails.filter(({ to }) => to.includes(email)).length;
			if (got === 0) throw new Error('No mail came at all.');
			return outcome(got > 5, { got }, asked);
		}
	}
];
