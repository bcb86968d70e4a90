/** Syslog messages (RFC 5424) with octet-counting frames (RFC 6587), as sent over TCP and TLS. */
import type { AuditEvent } from '../audit/events.ts';

/** Facility "log audit". */
const AUDIT = 13;
const WARNING = 4;
const NOTICE = 5;

/** A header field: printable ASCII without spaces, truncated; `-` when empty. */
const nameOf = (text: string, most: number): string =>
	text.replace(/[^\x21-\x7e]/g, '').slice(0, most) || '-';

/** @param text the message itself, one line */
export function syslogFrame(event: AuditEvent, text: string, host: string): string {
	const severity = event.outcome === 'refused' || event.outcome === 'failed' ? WARNING : NOTICE;
	const time = new Date(event.time).toISOString();
	const message = `<${AUDIT * 8 + severity}>1 ${time} ${nameOf(host, 255)} komodeck - ${nameOf(event.action, 32)} - \u{feff}${text}`;
	return `${Buffer.byteLength(message)} ${message}`;
}
