import type { Delivery } from './daemon.ts';
import { withStatus, type ErrorArea } from './define.ts';

interface Sent {
	/** Never `delivered` but for answers that had begun. */
	delivery: Delivery;
}

/** A request over HTTP that got no whole answer. */
export const transport = {
	...withStatus(502, {
		'transport.unreachable': (_sent: Readonly<Sent>) => 'No connection came about.',
		/** The certificate that was shown is not trusted: nothing was sent. */
		'transport.untrusted': (_sent: Readonly<Sent>) =>
			'The certificate that was shown is not trusted.',
		'transport.truncated': (_sent: Readonly<Sent>) =>
			'The connection ended before the answer was whole.',
		'transport.too-large': ({ maxBytes }: Readonly<Sent> & { maxBytes: number }) =>
			`The answer is larger than ${maxBytes} bytes.`
	}),
	...withStatus(504, {
		/** The time ran out before there was a connection: the next try would wait as long. */
		'transport.silent': (_sent: Readonly<Sent>) => 'No connection came about in time.',
		'transport.timeout': ({ timeoutMs }: Readonly<Sent> & { timeoutMs: number }) =>
			`No answer within ${timeoutMs} ms.`
	})
} satisfies ErrorArea<'transport'>;
