/** Syslog messages (RFC 5424), framed by their length (RFC 6587), as they go over TCP and TLS. */
import type { AuditEvent } from '../audit/events.ts';

/** Facility "log audit". */
const AUDIT = 13;
const WARNING = 4;
const NOTICE = 5;

/** A name of the header: visible ASCII without blanks, shortened; `-` for none. */
const nameOf = (text: string, most: number): string =>
	text.replace(/[^\x21-\x7e]/g, '').slice(0, most) || '-';

/** @param text the message itself, one line */
export function syslogFrame(event: AuditEvent, text: string, host: string): string {
	const severity = event.outcome === 'refused' || event.outcome === 'failed' ? WARNING : NOTICE;
	const time = new Date(event.time).toISOString();
	const message = `<${AUDIT * 8 + severity}>1 ${time} ${nameOf(host, 255)} komodeck - ${nameOf(event.action, 32)} - \u{feff}${text}`;
	return `${Buffer.byteLength(message)} ${message}`;
}
