/** Requests a page like a browser, and measures its first and last byte. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { ADMIN } from './processes.ts';

interface Asked {
	/** Milliseconds to the first byte. */
	first: number;
	/** Milliseconds to the last byte. */
	whole: number;
	/** Bytes of the status line and headers. */
	head: number;
	body: string;
}

/**
 * @param cookie of a member's session; a visitor has none
 * @throws when the status is not 200
 */
export async function asked(address: string, cookie?: string): Promise<Asked> {
	const began = performance.now();
	const headers = { accept: 'text/html', ...(cookie === undefined ? {} : { cookie }) };
	const sent = request(address, { headers }).end();
	const [answer] = (await once(sent, 'response')) as [IncomingMessage];
	const first = performance.now() - began;
	const parts: Buffer[] = [];
	for await (const part of answer) parts.push(part as Buffer);
	if (answer.statusCode !== 200) throw new Error(`${address} answered ${answer.statusCode}`);
	// "Name: value" and the end of each line.
	const head = answer.rawHeaders.reduce((sum, part) => sum + part.length + 2, 0);
	return { first, whole: performance.now() - began, head, body: Buffer.concat(parts).toString() };
}

/**
 * Logs in with the first account.
 * @returns its session cookie
 */
export async function signIn(url: string): Promise<string> {
	const answer = await fetch(`${url}/login`, {
		method: 'POST',
		redirect: 'manual',
		headers: { origin: url },
		body: new URLSearchParams({
			name: ADMIN.user,
			password: ADMIN.password,
			passkey: '',
			next: '/'
		})
	});
	await answer.body?.cancel();
	const cookie = answer.headers
		.getSetCookie()
		.map((one) => one.split(';', 1)[0])
		.find((one) => one?.startsWith('komodeck_session='));
	if (cookie === undefined) throw new Error(`login answered ${answer.status}`);
	return cookie;
}
