/**
 * A trading node over real HTTP with scripted responses: version 2 and the older envelope, and a task counter
 * that restarts at 0.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

interface SeenCall {
	method: string;
	params: { [name: string]: unknown };
	text: string;
}

type Answer =
	| { status?: number; body: unknown }
	/** Sent as it is; with `cut` the connection is closed in the middle. */
	| { status?: number; text: string; cut?: boolean }
	| 'drop'
	| 'hang';
type Handler = (call: SeenCall) => Answer | Promise<Answer>;

/** A successful response of version 2. */
export const ok = (result: unknown): Answer => ({ body: { mmrpc: '2.0', result, id: 0 } });
/** An error response of version 2. */
export const refused = (type: string, error: string, data?: unknown, status = 400): Answer => ({
	status,
	body: {
		mmrpc: '2.0',
		error,
		error_path: 'a',
		error_trace: 'a:1]',
		error_type: type,
		...(data === undefined ? {} : { error_data: data }),
		id: 0
	}
});
/** An error response of the older protocol, with source positions before the text. */
export const legacyRefused = (text: string): Answer => ({
	status: 500,
	body: { error: `rpc:195] RPC call failed: legacy:140] lp_coins:4877] ${text}` }
});
/** An error inside a task's status. */
export const taskError = (type: string, error: string, data?: unknown): unknown => ({
	status: 'Error',
	details: {
		error,
		error_path: 'a',
		error_trace: 'a:1]',
		error_type: type,
		...(data === undefined ? {} : { error_data: data })
	}
});

export const PASSWORD = 'Node-canary-7d1f';

export class ScriptedKdf {
	readonly seen: SeenCall[] = [];
	readonly #handlers = new Map<string, Handler>();
	#server: Server | null = null;
	#port = 0;
	/** Ids start at 0 after a restart. */
	nextTask = 0;
	/** The `status` response of each task. */
	readonly tasks = new Map<number, unknown>();
	readonly enabled = new Set<string>();
	/** Whether it has an event stream. */
	hasEvents = true;
	readonly #streams = new Map<number, ServerResponse>();
	#heard: () => void = () => undefined;

	constructor() {
		this.on('version', () => ({
			body: { result: '2.5.1-beta_a9fbf60', datetime: '2025-09-19T08:42:42.719348125+00:00' }
		}));
		this.on('get_enabled_coins', () =>
			ok({ coins: [...this.enabled].map((ticker) => ({ ticker })) })
		);
		this.on('my_balance', ({ params }) =>
			this.enabled.has(String(params['coin']))
				? {
						body: {
							coin: params['coin'],
							balance: '7.5',
							unspendable_balance: '0',
							address: ADDRESS
						}
					}
				: legacyRefused(`No such coin: ${String(params['coin'])}`)
		);
		for (const family of [
			'enable_utxo',
			'enable_bch',
			'enable_z_coin',
			'enable_eth',
			'init_trezor'
		]) {
			const of = (verb: string): string => `task::${family}::${verb}`;
			this.on(of('init'), () =>
				ok({ task_id: this.begin({ status: 'InProgress', details: 'ActivatingCoin' }) })
			);
			this.on(of('status'), ({ params }) => {
				const id = Number(params['task_id']);
				const task = this.tasks.get(id) as { status: string } | undefined;
				if (!task) return refused('NoSuchTask', `No such task '${id}'`, id);
				const finished = task.status === 'Ok' || task.status === 'Error';
				if (finished && params['forget_if_finished'] !== false) this.tasks.delete(id);
				return ok(task);
			});
			this.on(of('cancel'), ({ params }) => {
				const id = Number(params['task_id']);
				const task = this.tasks.get(id) as { status: string } | undefined;
				if (!task) return refused('NoSuchTask', `No such task '${id}'`, id, 404);
				if (task.status === 'Ok' || task.status === 'Error') {
					return refused('TaskFinished', 'Task is finished already', id, 409);
				}
				this.tasks.delete(id);
				return ok('success');
			});
			this.on(of('user_action'), () => ok('success'));
		}
	}

	get url(): string {
		return `http://127.0.0.1:${this.#port}/`;
	}

	on(method: string, handler: Handler): this {
		this.#handlers.set(method, handler);
		return this;
	}

	count(method: string): number {
		return this.seen.filter((call) => call.method === method).length;
	}

	begin(status: unknown): number {
		const id = this.nextTask++;
		this.tasks.set(id, status);
		return id;
	}

	/** Forgets its tasks and coins, as a restart does. */
	restart(): void {
		this.tasks.clear();
		this.enabled.clear();
		this.nextTask = 0;
	}

	/** The ids of the event stream's listeners. */
	listeners(): number[] {
		return [...this.#streams.keys()];
	}

	/** Waits for a listener. */
	async listening(): Promise<void> {
		while (this.#streams.size === 0) await new Promise<void>((resolve) => (this.#heard = resolve));
	}

	/** Sends all listeners an event of a task. */
	tell(task: number, message: unknown = { status: 'InProgress', details: 'ActivatingCoin' }): void {
		const event = JSON.stringify({ _type: `TASK:${task}`, message });
		for (const response of this.#streams.values()) response.write(`data: ${event} \n\n`);
	}

	/** Closes all event streams. */
	drop(): void {
		for (const response of this.#streams.values()) response.destroy();
		this.#streams.clear();
	}

	#listen(request: IncomingMessage, response: ServerResponse): void {
		if (!this.hasEvents) return void response.writeHead(500).end('Event streaming is disabled');
		const id = Number(new URL(request.url ?? '', 'http://node').searchParams.get('id'));
		response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
		this.#streams.set(id, response);
		response.on('close', () => this.#streams.delete(id));
		this.#heard();
	}

	async start(): Promise<this> {
		const server = createServer((request, response) => {
			if (request.url?.startsWith('/event-stream')) return this.#listen(request, response);
			void this.#answer(request).then((answer) => {
				if (answer === 'hang') return;
				if (answer === 'drop') return request.socket.destroy();
				const text = 'text' in answer ? answer.text : JSON.stringify(answer.body);
				if ('text' in answer && answer.cut === true) {
					response.writeHead(answer.status ?? 200, { 'content-length': text.length + 9 });
					response.write(text, () => request.socket.destroy());
					return;
				}
				response.writeHead(answer.status ?? 200).end(text);
			});
		});
		this.#port = await listening(server, this.#port);
		this.#server = server;
		return this;
	}

	async stop(): Promise<void> {
		const server = this.#server;
		this.#server = null;
		if (server) await closeAtOnce(server);
	}

	/** A response contains the id of its call, like that of a real node. */
	async #answer(request: IncomingMessage): Promise<Answer> {
		let text = '';
		for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
		const call = JSON.parse(text) as { [name: string]: unknown };
		const answer = await this.#said(text, call);
		if (typeof answer === 'string' || 'text' in answer) return answer;
		const { body } = answer;
		return typeof body === 'object' && body !== null && 'mmrpc' in body
			? { ...answer, body: { ...body, id: call['id'] ?? null } }
			: answer;
	}

	async #said(text: string, asked: { [name: string]: unknown }): Promise<Answer> {
		const { method, params, userpass, mmrpc, id: _id, ...flat } = asked;
		const call: SeenCall = {
			method: String(method),
			params: (mmrpc === undefined ? flat : (params ?? {})) as SeenCall['params'],
			text
		};
		this.seen.push(call);
		if (method !== 'version' && userpass !== PASSWORD) {
			return mmrpc === undefined
				? legacyRefused('Userpass is invalid! - Rate Limit attempts left: 9')
				: refused(
						'UserpassIsInvalid',
						'Userpass is invalid! - Rate Limit attempts left: 9',
						{ error_type: 'NbAttemptsLeft', error_data: 9 },
						403
					);
		}
		const handler = this.#handlers.get(call.method);
		return handler ? handler(call) : refused('NoSuchMethod', 'No such method');
	}
}

export const ADDRESS = 'R9o9xTocqr6CeEDGDH6mEYpwLoMz6jNjMW';

/** The result of a finished activation of a UTXO coin. */
export const activated = (ticker: string): unknown => ({
	status: 'Ok',
	details: {
		ticker,
		current_block: 4321,
		wallet_balance: {
			wallet_type: 'Iguana',
			address: ADDRESS,
			balance: { [ticker]: { spendable: '7.5', unspendable: '0' } }
		}
	}
});
