import type { ServerResponse } from 'node:http';
import { parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { answer, ScriptedUpstream, type SeenRequest } from './upstream.ts';

type Body = Readonly<Record<string, unknown>>;
/** The response of a method: a result, or an error with its HTTP status. */
type KdfScript = (
	params: Body
) => { result: unknown } | { status: number; type: string; error: string; data?: unknown };

const MOST_WRONG = 10;

/**
 * A small trading node for tests: it accepts both request formats, checks the password, counts wrong ones and
 * bans after ten, like release 2.5.1. Methods respond as scripted; it records the requests.
 */
export class ScriptedKdf {
	readonly upstream = new ScriptedUpstream();
	/** Request bodies in order of arrival. */
	readonly seen: Body[] = [];
	/**
	 * Result of `version` of a released node; null: a node of the interface document, which does not know the
	 * method.
	 */
	release: { result: string; datetime?: string } | null = {
		result: '2.5.1-beta_a9fbf60',
		datetime: '2025-09-19T08:42:42.719348125+00:00'
	};
	wrong = 0;
	/** The accepted password; a restart with another configuration changes it. */
	password: string;
	readonly #scripts = new Map<string, KdfScript>();
	/** Requests that wait until {@link open} is called. */
	#gate: Promise<void> | null = null;

	constructor(password: string) {
		this.password = password;
	}

	on(method: string, script: KdfScript): this {
		this.#scripts.set(method, script);
		return this;
	}

	count(method: string): number {
		return this.seen.filter((body) => body['method'] === method).length;
	}

	/** Holds back all responses until the returned function is called. */
	hold(): () => void {
		let open = (): void => undefined;
		this.#gate = new Promise((resolve) => {
			open = () => {
				this.#gate = null;
				resolve();
			};
		});
		return open;
	}

	async start(): Promise<this> {
		await this.upstream.start();
		this.serve();
		return this;
	}

	/** Responds normally again, after a test replaced its behavior. */
	serve(): void {
		this.upstream.on('*', (request, response) => this.answer(request, response));
	}

	/** Handles one request; a test may replace this to control connections. */
	async answer(request: SeenRequest, response: ServerResponse): Promise<void> {
		const { status, body } = this.#answer(request);
		if (this.#gate !== null) await this.#gate;
		answer(response, body, status, '');
	}

	stop(): Promise<void> {
		return this.upstream.stop();
	}

	/** A released node and a node of the interface document each accept only one name for a PIN. */
	#misspelled(body: Body): string | null {
		const { user_action: action } = (body['params'] ?? {}) as {
			user_action?: { action_type?: string };
		};
		const known = this.release === null ? 'HardwarePin' : 'TrezorPin';
		if (action === undefined || action.action_type === known) return null;
		return `unknown variant \`${action.action_type ?? ''}\`, expected \`${known}\``;
	}

	#answer(request: SeenRequest): { status: number; body: string } {
		const body = JSON.parse(request.text) as Body;
		this.seen.push(body);
		const method = String(body['method']);
		const v2 = body['mmrpc'] !== undefined;
		// With all digits, as a trading node reads it.
		const id = (parseJson(request.text) as { id?: JsonValue }).id ?? null;
		const fail = (status: number, type: string, error: string, data?: unknown) => ({
			status: v2 ? status : 500,
			body: stringifyJson(
				v2
					? {
							mmrpc: '2.0',
							error,
							error_path: 'dispatcher',
							error_trace: 'dispatcher:1]',
							error_type: type,
							...(data === undefined ? {} : { error_data: data }),
							id
						}
					: { error: `rpc:195] RPC call failed: legacy:140] ${error}` }
			)
		});
		if (this.wrong >= MOST_WRONG) return fail(403, 'Banned', 'Your ip is banned.');
		if (method === 'version') {
			return this.release === null
				? fail(400, 'NoSuchMethod', 'No such method')
				: { status: 200, body: JSON.stringify(this.release) };
		}
		if (body['userpass'] !== this.password) {
			this.wrong += 1;
			const left = MOST_WRONG - this.wrong;
			return fail(
				403,
				'UserpassIsInvalid',
				`Userpass is invalid! - Rate Limit attempts left: ${left}`,
				{ error_type: 'NbAttemptsLeft', error_data: left }
			);
		}
		const said = this.#misspelled(body);
		if (said !== null) return fail(400, 'InvalidRequest', `Error parsing request: ${said}`, said);
		const script = this.#scripts.get(method);
		if (script === undefined) {
			return method.endsWith('::user_action')
				? fail(400, 'NoSuchTask', "No such task '0'", 0)
				: fail(400, 'NoSuchMethod', 'No such method');
		}
		const told = script((v2 ? (body['params'] ?? {}) : body) as Body);
		if ('type' in told) return fail(told.status, told.type, told.error, told.data);
		const whole = v2 ? { mmrpc: '2.0', result: told.result, id } : told.result;
		return { status: 200, body: stringifyJson(whole) };
	}
}
