/** One request to a daemon and its answer, as a handler of undici. */
import type { Dispatcher } from 'undici';
import type { Delivery } from '#lib/messages/errors/daemon.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { Collected } from './answers/collected.ts';
import { isUntrusted } from './trust.ts';
import type { RawAnswer } from './rawAnswer.ts';

/** Any HTTP answer, not yet known to be JSON-RPC. */
export type HttpAnswer = Omit<RawAnswer, 'id'>;

/** Returns the error code for a connection that could not be opened. */
function connectionFault(cause: unknown) {
	if (isUntrusted(cause)) return 'transport.untrusted';
	const { code } = (cause ?? {}) as { code?: unknown };
	return code === 'UND_ERR_CONNECT_TIMEOUT' ? 'transport.silent' : 'transport.unreachable';
}

/** Settles with the answer, or with an {@link AppError} `transport`. A class, because each call creates one. */
export class RequestHandler implements Dispatcher.DispatchHandler {
	readonly #limits: { timeoutMs: number; maxBytes: number };
	readonly #noConnection: () => void;
	readonly #end: { resolve: (answer: HttpAnswer) => void; reject: (error: AppError) => void };
	readonly #collected: Collected;
	readonly #timer: NodeJS.Timeout;
	#controller: Dispatcher.DispatchController | null = null;
	#settled = false;
	#status = 0;
	#contentType = '';

	/**
	 * @param limits milliseconds for the whole request, and the most bytes of the answer
	 * @param noConnection called when no connection could be opened
	 */
	constructor(
		limits: { timeoutMs: number; maxBytes: number },
		noConnection: () => void,
		end: { resolve: (answer: HttpAnswer) => void; reject: (error: AppError) => void }
	) {
		this.#limits = limits;
		this.#noConnection = noConnection;
		this.#end = end;
		this.#collected = new Collected(limits.maxBytes);
		this.#timer = setTimeout(() => this.#tooLate(), limits.timeoutMs);
	}

	onRequestStart(started: Dispatcher.DispatchController): void {
		this.#controller = started;
		if (this.#settled) started.abort(new Error('The call has ended.'));
	}

	onResponseStart(
		_controller: Dispatcher.DispatchController,
		status: number,
		headers: Record<string, string | string[] | undefined>
	): void {
		this.#status = status;
		this.#contentType = String(headers['content-type'] ?? '');
		const length = Number(headers['content-length'] ?? 0);
		if (length > this.#limits.maxBytes) this.#tooLarge();
	}

	onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
		if (!this.#settled && !this.#collected.add(chunk)) this.#tooLarge();
	}

	onResponseEnd(): void {
		if (this.#settled) return;
		this.#settled = true;
		clearTimeout(this.#timer);
		const body = this.#collected.whole();
		if (body instanceof Promise) body.then((whole) => this.#came(whole), this.#end.reject);
		else this.#came(body);
	}

	#came(body: Buffer): void {
		this.#end.resolve({ status: this.#status, contentType: this.#contentType, body });
	}

	onResponseError(_controller: Dispatcher.DispatchController | null, cause: Error): void {
		if (this.#controller === null) {
			this.#noConnection();
			this.#fail(new AppError(connectionFault(cause), { delivery: 'not-sent' }, { cause }));
			return;
		}
		const delivery: Delivery = this.#status === 0 ? 'unknown' : 'delivered';
		this.#fail(new AppError('transport.truncated', { delivery }, { cause }));
	}

	#tooLate(): void {
		const { timeoutMs } = this.#limits;
		this.#fail(
			this.#controller === null
				? new AppError('transport.silent', { delivery: 'not-sent' })
				: new AppError('transport.timeout', { timeoutMs, delivery: 'unknown' })
		);
	}

	#tooLarge(): void {
		const { maxBytes } = this.#limits;
		this.#fail(new AppError('transport.too-large', { maxBytes, delivery: 'delivered' }));
	}

	#fail(error: AppError): void {
		if (this.#settled) return;
		this.#settled = true;
		clearTimeout(this.#timer);
		this.#controller?.abort(error);
		this.#end.reject(error);
	}
}
