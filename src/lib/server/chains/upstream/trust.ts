/** Certificate check for an upstream that is reached over https. */
import { checkServerIdentity, TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { certificatesOf } from '../../platform/config/certificate.ts';
import type { CertificateTrust } from '../../platform/config/types.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';

/** Error codes of Node for a certificate that is not trusted. */
const UNTRUSTED =
	/^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_ALTNAME_INVALID$)/;

/** Whether a connection failed because of the certificate that the server presented. */
export function isUntrusted(cause: unknown): boolean {
	if (isAppError(cause, 'transport.untrusted')) return true;
	const { code } = (cause ?? {}) as { code?: unknown };
	return typeof code === 'string' && UNTRUSTED.test(code);
}

/** Compares the fingerprint of the server's certificate before anything is sent, without checking the chain. */
function pinned(options: buildConnector.BuildOptions, sha256: string): buildConnector.connector {
	// A resumed session would not present a certificate.
	const open = buildConnector({ ...options, rejectUnauthorized: false, maxCachedSessions: 0 });
	return (target, callback) => {
		open(target, (error, socket) => {
			if (error !== null) return callback(error, null);
			const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
			if (shown?.fingerprint256.replaceAll(':', '').toLowerCase() === sha256) {
				return callback(null, socket);
			}
			socket.destroy();
			callback(new AppError('transport.untrusted', { delivery: 'not-sent' }), null);
		});
	};
}

/** Returns the connector for an upstream. Without a configured certificate the usual certificate authorities apply. */
export function connectorOf(
	trust: CertificateTrust | undefined,
	options: buildConnector.BuildOptions
): buildConnector.connector {
	if (trust === undefined) return buildConnector(options);
	if (trust.kind === 'sha256') return pinned(options, trust.sha256);
	const named = certificatesOf(trust.file);
	return buildConnector({
		...options,
		ca: named.map((certificate) => certificate.toString()),
		// The configured certificate itself may have any host name; certificates that it signed may not.
		checkServerIdentity: (host, shown) =>
			named.some(({ raw }) => raw.equals(shown.raw)) ? undefined : checkServerIdentity(host, shown)
	});
}
