/** Simulated members and scripts that use several servers as one, and know the right responses. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ProductClient } from '../../support/productClient.ts';
import type { Tally } from './tally.ts';

/** Results of the requests. */
interface Asked {
	/** Number of right responses. */
	right: number;
	/** Refusals while the database was unavailable. */
	withoutDatabase: number;
	/** Changes whose server was killed, which a proxy must not repeat. */
	cutOff: number;
	/** The slowest response, in milliseconds. */
	slowest: number;
}

/** A payment of an amount that is unique in the run. */
interface Payment {
	amount: string;
	/** The txid of the response; null: the outcome was never reported. */
	txid: string | null;
}

/** Faults that are allowed at the moment. */
export interface Weather {
	/** The database is unavailable, or has just come back. */
	noDatabase: boolean;
	/** A server is being killed, or was a moment ago. */
	killing: boolean;
}

interface LoadParts {
	url: string;
	client: ProductClient;
	/** The API token of the load. */
	token: string;
	/** A block that will not be reorganized: its height and hash. */
	block: { height: number; hash: string };
	/** The recipient of the payments. */
	address: string;
	weather: Weather;
	tally: Tally;
	name: string;
}

const PAGES = ['/', '/chains/ALPHA', '/chains/ALPHA/blocks', '/migrations', '/transactions'];
/** Milliseconds between two requests of one caller: no user is faster, and two processors serve all. */
const THINK_MS = 60;
const PAY_EVERY_MS = 400;
/** The text of a page without a database, whatever its wording. */
const SAYS_DATABASE = /database/i;
/** Attempts for a payment without a known outcome, which take longer than the database is unavailable. */
const ATTEMPTS = 60;

export class Load {
	readonly asked: Asked = { right: 0, withoutDatabase: 0, cutOff: 0, slowest: 0 };
	readonly payments: Payment[] = [];
	readonly #parts: LoadParts;
	#over = false;
	#work: Promise<unknown> = Promise.resolve();

	constructor(parts: LoadParts) {
		this.#parts = parts;
	}

	begin(): void {
		this.#work = Promise.all([this.#read(0), this.#read(2), this.#call(), this.#pay()]);
	}

	/** Lets all callers finish. */
	async end(): Promise<void> {
		this.#over = true;
		await this.#work;
	}

	#wrong(what: string, status: number, text: string): void {
		this.#parts.tally.failed(`${this.#parts.name}: ${what}: ${status} ${text.slice(0, 300)}`);
	}

	/** Judges a response that is not the expected one. */
	#judge(what: string, status: number, text: string, noDatabase: boolean): void {
		if (status === 503 && noDatabase && SAYS_DATABASE.test(text)) this.asked.withoutDatabase += 1;
		else this.#wrong(what, status, text);
	}

	/** @param work sends the request and returns what is wrong with the response; null when it is right */
	async #ask(
		what: string,
		work: () => Promise<{ right: boolean; status: number; text: string }>
	): Promise<void> {
		const { weather } = this.#parts;
		const began = performance.now();
		const before = weather.noDatabase;
		try {
			const { right, status, text } = await work();
			if (right) this.asked.right += 1;
			else this.#judge(what, status, text, before || weather.noDatabase);
		} catch (error) {
			this.#wrong(what, 0, String(error));
		}
		this.asked.slowest = Math.max(this.asked.slowest, performance.now() - began);
	}

	async #read(from: number): Promise<void> {
		const { client, block } = this.#parts;
		const pages = [...PAGES, `/chains/ALPHA/block/${block.height}`];
		for (let n = from; !this.#over; n++) {
			const path = pages[n % pages.length]!;
			await this.#ask(`page ${path}`, async () => {
				const { status, text } = await client.text(path);
				const isWhole = text.includes('</html>') && /<h1/.test(text);
				const hasBlock = !path.includes('/block/') || text.includes(block.hash);
				return { right: status === 200 && isWhole && hasBlock, status, text };
			});
			await pause(THINK_MS);
		}
	}

	async #call(): Promise<void> {
		const { client, block } = this.#parts;
		const body = JSON.stringify({ id: 1, method: 'getblockhash', params: [block.height] });
		while (!this.#over) {
			await this.#ask('getblockhash', async () => {
				const { status, text } = await this.#repeated(() => client.rpc('ALPHA', body));
				return { right: status === 200 && text.includes(`"${block.hash}"`), status, text };
			});
			await pause(THINK_MS);
		}
	}

	/** Repeats a read whose server was killed during it: the proxy may not have noticed. */
	async #repeated(
		work: () => Promise<{ status: number; text: string }>
	): Promise<{ status: number; text: string }> {
		const { weather } = this.#parts;
		for (;;) {
			const before = weather.killing;
			const answer = await work();
			if (answer.status !== 502 || !(before || weather.killing)) return answer;
			this.asked.cutOff += 1;
		}
	}

	/** Each payment has its own key, and is requested with it until a response reports its outcome. */
	async #pay(): Promise<void> {
		const { weather, address } = this.#parts;
		while (!this.#over) {
			const at = this.payments.length + 1;
			const payment: Payment = {
				amount: `0.${String(1_000_000 + at * 101).padStart(8, '0')}`,
				txid: null
			};
			this.payments.push(payment);
			const body = JSON.stringify({
				id: at,
				method: 'sendtoaddress',
				params: [address, Number(payment.amount)]
			});
			for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
				const before = { ...weather };
				const { status, text } = await this.#sendOnce(`payment-${at}-of-the-story`, body);
				const known = /"result":"([0-9a-f]{64})"/.exec(text)?.[1];
				if (status === 200 && known !== undefined) {
					payment.txid = known;
					break;
				}
				// The first one ended with its server: its outcome is unknown, and no server repeats it.
				if (status === 409) {
					this.asked.cutOff += 1;
					break;
				}
				if (status === 502 && (before.killing || weather.killing)) this.asked.cutOff += 1;
				else this.#judge('payment', status, text, before.noDatabase || weather.noDatabase);
				await pause(500);
			}
			await pause(PAY_EVERY_MS);
		}
	}

	async #sendOnce(key: string, body: string): Promise<{ status: number; text: string }> {
		const { url, token } = this.#parts;
		const answer = await fetch(`${url}/api/rpc/ALPHA`, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
			body
		});
		return { status: answer.status, text: await answer.text() };
	}
}

/**
 * Compares the payments with those that the wallet made.
 * @returns descriptions of the differences
 */
export function judgePayments(
	payments: readonly Payment[],
	made: readonly { txid: string; amount: number; category: string }[]
): { lost: string[]; doubled: string[] } {
	const found: { lost: string[]; doubled: string[] } = { lost: [], doubled: [] };
	for (const { amount, txid } of payments) {
		const own = made.filter((one) => one.category === 'send' && -one.amount === Number(amount));
		if (own.length > 1) found.doubled.push(`the payment of ${amount} was made ${own.length} times`);
		if (txid !== null && !own.some((one) => one.txid === txid))
			found.lost.push(`the payment of ${amount} was answered ${txid}, and is not there`);
	}
	return found;
}
