/** A minimal browser: it loads pages, fills in forms and posts them, and runs no scripts. */
import { load, type CheerioAPI } from 'cheerio';
import { ADMIN } from './console.ts';

/** A loaded page. */
export interface PlainPage {
	status: number;
	/** Its address, for relative links. */
	url: URL;
	$: CheerioAPI;
}

/** The button that submits a form: the one with these words, else the last one. */
function buttonOf({ $ }: PlainPage, form: string, words: string | undefined) {
	const buttons = $(`${form} button:not([type="button"])`);
	if (words === undefined) return buttons.last();
	return buttons.filter((_, button) => $(button).text().trim() === words).first();
}

/** The fields that a browser would send: the form's current values, replaced by the typed ones. */
function fieldsOf({ $ }: PlainPage, form: string, typed: Readonly<Record<string, string>>) {
	const standing = $(form)
		.first()
		.serializeArray()
		.filter(({ name }) => !Object.hasOwn(typed, name));
	return [
		...standing.map(({ name, value }) => [name, value] as const),
		...Object.entries(typed)
	] as const;
}

export class PlainBrowser {
	readonly #url: string;
	readonly #cookies = new Map<string, string>();

	constructor(url: string) {
		this.#url = url;
	}

	async #fetch(address: URL, init: RequestInit = {}): Promise<PlainPage> {
		const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const answer = await fetch(address, {
			...init,
			redirect: 'manual',
			headers: { accept: 'text/html', origin: this.#url, cookie }
		});
		for (const line of answer.headers.getSetCookie()) {
			const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
			this.#cookies.set(name!, value!);
		}
		const location = answer.headers.get('location');
		const text = await answer.text();
		if (location !== null) return this.#fetch(new URL(location, address));
		return { status: answer.status, url: address, $: load(text) };
	}

	/** Opens a page of the console. */
	open(path: string): Promise<PlainPage> {
		return this.#fetch(new URL(path, this.#url));
	}

	/** Fills in a form of a page and presses its button. */
	async submit(
		page: PlainPage,
		{ form, button }: { form: string; button?: string | undefined },
		typed: Readonly<Record<string, string>>
	): Promise<PlainPage> {
		const element = page.$(form).first();
		const pressed = buttonOf(page, form, button);
		if (element.length === 0 || pressed.length === 0) {
			throw new Error(`${page.url.pathname} (${page.status}) has no form ${form} with its button`);
		}
		const to = new URL(
			pressed.attr('formaction') ?? element.attr('action') ?? page.url.href,
			page.url
		);
		const fields = new URLSearchParams(fieldsOf(page, form, typed).map((field) => [...field]));
		const name = pressed.attr('name');
		if (name !== undefined) fields.append(name, pressed.attr('value') ?? '');
		if (element.attr('method')?.toLowerCase() !== 'post') {
			to.search = fields.toString();
			to.hash = '';
			return this.#fetch(to);
		}
		if (element.attr('enctype') !== 'multipart/form-data') {
			return this.#fetch(to, { method: 'POST', body: fields });
		}
		const parts = new FormData();
		for (const [field, value] of fields) parts.append(field, value);
		return this.#fetch(to, { method: 'POST', body: parts });
	}

	async signIn(person = ADMIN): Promise<void> {
		const login = await this.open('/login');
		await this.submit(login, { form: 'main form[method="post"]' }, person);
	}
}

/** The accessible description of a field. */
export const descriptionOf = ({ $ }: PlainPage, field: string): string =>
	($(field).attr('aria-describedby') ?? '')
		.split(/\s+/)
		.filter((id) => id !== '')
		.map((id) => $(`[id="${id}"]`).text().trim().replaceAll(/\s+/g, ' '))
		.join(' ');
