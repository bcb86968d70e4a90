/** People and scripts who ask several servers as one, and know what the right answer is. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ProductClient } from '../../support/productClient.ts';
import type { Tally } from './tally.ts';

/** What asking came to. */
interface Asked {
	/** Answers that were right. */
	right: number;
	/** Refusals of a moment in which there was no database. */
	withoutDatabase: number;
	/** Changes that a proxy must not repeat, whose server was killed under them. */
	cutOff: number;
	/** The longest that an answer took, in milliseconds. */
	slowest: number;
}

/** A payment of an amount that no other has. */
interface Payment {
	amount: string;
	/** As it was answered; null: nobody said how it ended. */
	txid: string | null;
}

/** What may go wrong at the moment. */
export interface Weather {
	/** The database is away, or has just come back. */
	noDatabase: boolean;
	/** A server is killed, or was a moment ago. */
	killing: boolean;
}

interface LoadParts {
	url: string;
	client: ProductClient;
	/** The API token of it. */
	token: string;
	/** A block that stays: its height and hash. */
	block: { height: number; hash: string };
	/** Whom payments go to. */
	address: string;
	weather: Weather;
	tally: Tally;
	name: string;
}

const PAGES = ['/', '/chains/ALPHA', '/chains/ALPHA/blocks', '/migrations', '/transactions'];
/** Between two requests of one who asks: a second is nobody's haste, and two processors serve all. Milliseconds. */
const THINK_MS = 60;
const PAY_EVERY_MS = 400;
/** What a page says when there is no database, in whichever words. */
const SAYS_DATABASE = /database/i;
/** A payment whose answer is not known is asked for again that often, which takes longer than a database is away. */
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

	/** Lets everybody come to an end. */
	async end(): Promise<void> {
		this.#over = true;
		await this.#work;
	}

	#wrong(what: string, status: number, text: string): void {
		this.#parts.tally.failed(`${this.#parts.name}: ${what}: ${status} ${text.slice(0, 300)}`);
	}

	/** Judges an answer that is not the wanted one. */
	#judge(what: string, status: number, text: string, noDatabase: boolean): void {
		if (status === 503 && noDatabase && SAYS_DATABASE.test(text)) this.asked.withoutDatabase += 1;
		else this.#wrong(what, status, text);
	}

	/** @param work asks, and says what was wrong with the answer; null when it was right */
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

	/** A call that only reads is made again where the server was killed under it: the proxy may not know. */
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

	/** Each payment has a key of its own, under which it is asked for until somebody says how it ended. */
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
				// The first one ended with its server: nobody knows, and nobody does it again.
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

/** Compares the payments with those that the wallet made. @returns what is wrong */
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
