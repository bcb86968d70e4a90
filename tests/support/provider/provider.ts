/** Starts the OpenID provider of the tests, and walks through its pages as a browser does. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { KeysAnswer, ProviderOrder, ProviderReport } from './main.ts';

export const CLIENT = {
	clientId: 'komodeck',
	clientSecret: 'a secret of the tests, twenty and more'
} as const;

export interface TestProvider {
	issuer: string;
	/** Sets the provider's claims of a member, from the next token on. */
	claimsOf(subject: string, claims: Record<string, unknown>): Promise<void>;
	/** Has another answer sent in place of its keys; null: the keys again. */
	answerKeys(instead: KeysAnswer | null): Promise<void>;
	stop(): Promise<void>;
}

/**
 * @param redirectUri the one address to which it redirects browsers
 * @param logoutUri where it sends logout tokens; null: nowhere
 */
export async function startProvider(
	redirectUri: string,
	logoutUri: string | null = null
): Promise<TestProvider> {
	const child = fork(resolve(import.meta.dirname, 'main.ts'), {
		stdio: ['ignore', 'ignore', 'inherit', 'ipc']
	});
	const tell = async (order: ProviderOrder): Promise<ProviderReport> => {
		const answer = once(child, 'message');
		child.send(order);
		return (await answer)[0] as ProviderReport;
	};
	const { issuer } = await tell({ kind: 'serve', redirectUri, logoutUri, ...CLIENT });
	return {
		issuer,
		claimsOf: async (subject, claims) => void (await tell({ kind: 'claims', subject, claims })),
		answerKeys: async (instead) => void (await tell({ kind: 'keys', instead })),
		async stop() {
			const gone = once(child, 'exit');
			child.kill();
			await gone;
		}
	};
}

/** The cookies of one browser at one host. */
export class CookieJar {
	readonly #cookies = new Map<string, string>();

	get header(): string {
		return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
	}

	take(answer: Response): void {
		for (const line of answer.headers.getSetCookie()) {
			const [pair = ''] = line.split(';', 1);
			const [name = '', value = ''] = pair.split('=', 2);
			if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) {
				this.#cookies.delete(name);
			} else this.#cookies.set(name, value);
		}
	}

	async fetch(url: string, init: RequestInit = {}): Promise<Response> {
		const headers = { accept: 'text/html', ...init.headers, cookie: this.header };
		const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
		this.take(answer);
		return answer;
	}
}

const STEPS = 12;

/**
 * Logs in at the provider and grants consent, like a member in a browser.
 * @returns the address to which the provider redirects the browser
 */
export async function logInAt(
	provider: Pick<TestProvider, 'issuer'>,
	begin: string,
	subject: string,
	jar: CookieJar = new CookieJar()
): Promise<URL> {
	let at = new URL(begin);
	let answer = await jar.fetch(at.href);
	for (let step = 0; step < STEPS; step += 1) {
		const location = answer.headers.get('location');
		if (location !== null) {
			await answer.body?.cancel();
			at = new URL(location, at);
			if (at.origin !== provider.issuer) return at;
			answer = await jar.fetch(at.href);
			continue;
		}
		const html = await answer.text();
		const action = /<form[^>]+action="([^"]+)"/.exec(html)?.[1];
		if (action === undefined) throw new Error(`The provider shows no form: ${html.slice(0, 500)}`);
		const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? '';
		at = new URL(action, at);
		answer = await jar.fetch(at.href, {
			method: 'POST',
			body: new URLSearchParams({ prompt, login: subject, password: 'any' })
		});
	}
	throw new Error('The provider does not come to an end.');
}

/** Logs out at the provider, in the browser that logged in there. */
export async function logOutAt(
	{ issuer }: Pick<TestProvider, 'issuer'>,
	jar: CookieJar
): Promise<void> {
	const html = await (await jar.fetch(`${issuer}/session/end`)).text();
	const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1];
	if (xsrf === undefined) throw new Error(`The provider asks nothing: ${html.slice(0, 500)}`);
	const body = new URLSearchParams({ xsrf, logout: 'yes' });
	const answer = await jar.fetch(`${issuer}/session/end/confirm`, { method: 'POST', body });
	await answer.body?.cancel();
}
