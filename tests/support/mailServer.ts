/** A real mail server for tests, on loopback, that stores what it receives. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SmtpConfig } from '#lib/server/platform/config/mail.ts';

interface ReceivedMail {
	from: string;
	to: string[];
	/** The raw message, headers first. */
	source: string;
}

export interface MailServer {
	smtp: SmtpConfig;
	mails: ReceivedMail[];
	/** Refuses mails with this code from now on, or accepts them again with null. */
	refuse(code: number | null): void;
	/** Changes the password that logins need. */
	password(next: string): void;
	stop(): Promise<void>;
}

/** A mail server that takes everything, or refuses it. */
export async function startMailServer(): Promise<MailServer> {
	const mails: ReceivedMail[] = [];
	let refusal: Error | null = null;
	let password = '';
	const server = new SMTPServer({
		authOptional: true,
		allowInsecureAuth: true,
		onAuth(auth, _session, done) {
			if (auth.password === password) return done(null, { user: auth.username });
			done(Object.assign(new Error('wrong password'), { responseCode: 535 }));
		},
		disabledCommands: ['STARTTLS'],
		onData(stream, session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				if (refusal !== null) return done(refusal);
				const { mailFrom, rcptTo } = session.envelope;
				mails.push({
					from: mailFrom === false ? '' : mailFrom.address,
					to: rcptTo.map(({ address }) => address),
					source: Buffer.concat(chunks).toString('utf8')
				});
				done();
			});
		}
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	const { port } = server.server.address() as AddressInfo;
	const smtp: SmtpConfig = {
		host: '127.0.0.1',
		port,
		tls: 'none',
		user: null,
		password: null,
		from: 'komodeck@example.org'
	};
	return {
		smtp,
		mails,
		refuse(code) {
			refusal = code === null ? null : Object.assign(new Error('not now'), { responseCode: code });
		},
		password(next) {
			password = next;
		},
		stop: () => new Promise<void>((done) => server.close(() => done()))
	};
}

/** The text of a mail, with its transfer line breaks removed. */
export const textOf = ({ source }: ReceivedMail): string =>
	source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
