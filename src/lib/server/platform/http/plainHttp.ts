/** Notices when this server is used from other machines without TLS: passwords and tokens can be read on the way. */
import { PLAIN_HTTP_WARNING } from '#lib/messages/requests.ts';
import { isSecureHost } from './headers.ts';
import { isLoopbackAddress, isLoopbackHost, readHost } from './host.ts';

/** How often it is said in the log, in milliseconds. */
const SAY_EVERY = 60 * 60 * 1000;
/** How long admins see it after the last such request, in milliseconds. */
const SHOW_FOR = 24 * 60 * 60 * 1000;

/** Where a request came from and what it named. */
export interface Reached {
	/** The Host that counts. */
	host: string;
	/** The other end of the connection. */
	peer: string | undefined;
}

/**
 * Whether a request crossed a network without TLS. The server itself speaks plain HTTP only: what names the
 * https origin came through the proxy in front, what names this machine and comes from it never left it.
 */
export function isPlainFromElsewhere({ host, peer }: Reached, origin: string | null): boolean {
	if (isSecureHost(host, origin)) return false;
	const read = readHost(host);
	const local = read !== null && isLoopbackHost(read);
	return !local || peer === undefined || !isLoopbackAddress(peer.split('%', 1)[0] ?? '');
}

/** Remembers when it last happened. */
export interface PlainHttpWatch {
	reached(request: Reached): void;
	/** Whether admins are to be told. */
	isShown(): boolean;
}

/** @param warn puts the warning into the log */
export function createPlainHttpWatch(
	origin: string | null,
	warn: (text: string) => void,
	now: () => number = Date.now
): PlainHttpWatch {
	let last: number | null = null;
	let said: number | null = null;
	return {
		reached(request) {
			if (!isPlainFromElsewhere(request, origin)) return;
			last = now();
			if (said !== null && last - said < SAY_EVERY) return;
			said = last;
			warn(PLAIN_HTTP_WARNING);
		},
		isShown: () => last !== null && now() - last < SHOW_FOR
	};
}
