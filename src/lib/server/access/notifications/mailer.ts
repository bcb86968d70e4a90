/** Sends mails over the configured server, and over no other. */
import { createTransport, type NodemailerError } from 'nodemailer';
import type { SmtpConfig } from '../../platform/config/mail.ts';
import { AppError } from '../../platform/errors/appError.ts';

export interface Mail {
	/** One address that {@link readEmail} accepted. */
	to: string;
	subject: string;
	text: string;
	html: string;
	/**
	 * Becomes the Message-ID: a mail that is sent twice has the same id, so that receivers can recognise it.
	 */
	id: string;
}

export interface Mailer {
	/**
	 * Sends a mail.
	 * @throws {AppError} `notice.mail-refused` for a final failure, `notice.mail-unreachable` and
	 * `notice.mail-settings` for one that may pass
	 */
	send(mail: Mail): Promise<void>;
	/**
	 * Connects and logs in without sending anything.
	 * @throws {AppError} `notice.mail-settings`, `notice.mail-unreachable`
	 */
	check(): Promise<void>;
	close(): void;
}

const TIMEOUT_MS = 15_000;
const MOST_SUBJECT = 180;
/** Mail addresses in common use: no quoted parts, no comments, not several addresses. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i;
const MOST_LETTERS = 254;

/**
 * Validates a mail address.
 * @throws {AppError} `notice.email-invalid`
 */
export function readEmail(typed: string): string {
	const text = typed.trim();
	if (text.length > MOST_LETTERS || !EMAIL.test(text)) throw new AppError('notice.email-invalid');
	return text;
}

/** Replaces control characters, so that the text is one line. */
const line = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** SMTP commands whose responses concern the mail; responses to earlier commands concern our connection. */
const OF_MAIL: readonly unknown[] = ['RCPT TO', 'DATA'];

/**
 * Classifies a failure of the mail server: a 5xx about the mail is final, one about the connection or login
 * is a matter of settings.
 */
function faultOf(cause: unknown): AppError {
	const { responseCode = 0, code, command } = cause as Partial<NodemailerError>;
	if (responseCode < 500 && code !== 'EAUTH') {
		return new AppError('notice.mail-unreachable', {}, { cause });
	}
	const isFinal = OF_MAIL.includes(command);
	return new AppError(isFinal ? 'notice.mail-refused' : 'notice.mail-settings', {}, { cause });
}

export function createMailer(smtp: SmtpConfig): Mailer {
	const transport = createTransport({
		host: smtp.host,
		port: smtp.port,
		secure: smtp.tls === 'tls',
		requireTLS: smtp.tls === 'starttls',
		ignoreTLS: smtp.tls === 'none',
		...(smtp.user === null ? {} : { auth: { user: smtp.user, pass: smtp.password ?? '' } }),
		connectionTimeout: TIMEOUT_MS,
		greetingTimeout: TIMEOUT_MS,
		socketTimeout: TIMEOUT_MS,
		// The content of a mail must not make the library read files or URLs.
		disableFileAccess: true,
		disableUrlAccess: true
	});
	return {
		async send({ to, subject, text, html, id }) {
			try {
				await transport.sendMail({
					from: smtp.from,
					to,
					subject: line(subject).slice(0, MOST_SUBJECT),
					text,
					html,
					messageId: `<${id}@${smtp.from.split('@').at(-1)}>`,
					headers: { 'Auto-Submitted': 'auto-generated' }
				});
			} catch (error) {
				throw faultOf(error);
			}
		},
		async check() {
			try {
				await transport.verify();
			} catch (error) {
				throw faultOf(error);
			}
		},
		close: () => transport.close()
	};
}
