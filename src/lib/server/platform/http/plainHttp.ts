/** Detects use of this server from other machines without TLS, where passwords and tokens can be intercepted. */
import { PLAIN_HTTP_WARNING } from '#lib/messages/requests.ts';
import { DAY_MS, HOUR_MS } from '#lib/text/units.ts';
import { isSecureHost } from './secureHost.ts';
import { isLoopbackAddress, isLoopbackHost, readHost } from '../net/host.ts';

/** Minimum interval between two warnings in the log, in milliseconds. */
const SAY_EVERY = HOUR_MS;
/** How long admins see the warning after the last such request, in milliseconds. */
const SHOW_FOR = DAY_MS;

/** The host that a request named and where it came from. */
export interface Reached {
	/** The effective Host. */
	host: string;
	/** Remote address of the connection. */
	peer: string | undefined;
}

/**
 * Whether a request crossed a network without TLS. The server itself speaks plain HTTP only: a request for the
 * https origin came through the reverse proxy, and a request for loopback from loopback never left this
 * machine.
 */
export function isPlainFromElsewhere({ host, peer }: Reached, origin: string | null): boolean {
	if (isSecureHost(host, origin)) return false;
	const read = readHost(host);
	const local = read !== null && isLoopbackHost(read);
	return !local || peer === undefined || !isLoopbackAddress(peer.split('%', 1)[0] ?? '');
}

/** Remembers the last unencrypted request. */
export interface PlainHttpWatch {
	reached(request: Reached): void;
	/** Whether admins should see the warning. */
	isShown(): boolean;
}

/** @param warn writes the warning to the log */
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
			if (said !== null && Math.abs(last - said) < SAY_EVERY) return;
			said = last;
			warn(PLAIN_HTTP_WARNING);
		},
		isShown: () => last !== null && now() - last < SHOW_FOR
	};
}
