/** Single sign-on settings of the environment and of the configuration file. */
import { CONFIG_NOTES } from '#lib/messages/configNotes.ts';
import { dirname } from 'node:path';
import { z } from 'zod';
import { visibleText } from '#lib/text/visibleText.ts';
import { AppError } from '../errors/appError.ts';
import { namedPath, readNamed } from './namedFile.ts';
import { ROLES, type Role } from './roles.ts';
import type { SignOnConfig } from './types.ts';

/** A scope list that contains `openid` (OpenID Connect Core 1.0, section 3.1.2.1). */
export const SCOPES =
	/^(?=(?:.* )?openid(?: |$))[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;
/** Path to a claim: member names separated by dots. A URL, as some providers name claims, is a single member. */
export const CLAIM = /^(?:https?:\/\/[\x21-\x7e]{1,200}|[\w-]{1,60}(?:\.[\w-]{1,60}){0,3})$/;
export const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i;
const ROLE_OF_VALUE = new RegExp(`^([^=,]{1,200})=(${ROLES.join('|')})$`);
const USUAL_SCOPES = 'openid profile email';

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * Whether an issuer is https, or http on loopback, where no one can listen in; without login, query and
 * fragment.
 */
export function isIssuer(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const url = new URL(text);
	if (`${url.username}${url.password}${url.search}${url.hash}` !== '') return false;
	return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** Whether a text can name the provider on pages: short, and without invisible characters. */
export const isLabel = (text: string): boolean =>
	text.trim() !== '' && text.length <= 40 && visibleText(text) === text;

/** Parses `admins=admin,team=operator`; null for anything else. */
export function roleMap(text: string): SignOnConfig['roles'] | null {
	const parts = text.split(',').map((part) => ROLE_OF_VALUE.exec(part.trim()));
	if (!parts.every((part) => part !== null)) return null;
	return parts.map((part) => [part[1]!, part[2] as Role]);
}

/** The member names on the path to a claim. */
const wayTo = (claim: string): string[] => (/^https?:/.test(claim) ? [claim] : claim.split('.'));

const text = z.string('must be a text');

/** The member `signOn` of the configuration file. */
export const SignOnEntry = z
	.strictObject({
		issuer: text.refine(isIssuer, 'must be an address like https://id.example.org'),
		clientId: text.min(1, 'must not be empty'),
		clientSecretFile: text.min(1, 'must name a file').optional(),
		scopes: text.regex(SCOPES, 'must hold openid').default(USUAL_SCOPES),
		roleClaim: text.regex(CLAIM, 'must be the name of a claim').optional(),
		roles: z
			.record(z.string(), z.enum(ROLES, 'must be viewer, operator, notary or admin'))
			.default({}),
		accounts: z
			.enum(['first-login', 'invitation'], 'must be first-login or invitation')
			.default('invitation'),
		label: text.refine(isLabel, 'must be 1 to 40 visible characters').optional(),
		domains: z.array(text.regex(DOMAIN, 'must be a domain like example.org')).default([])
	})
	.refine((entry) => (entry.roleClaim === undefined) === (Object.keys(entry.roles).length === 0), {
		message: 'needs "roleClaim" and "roles" together'
	});

/** @param file the configuration file: the path of the client secret is relative to its folder */
export function signOnOfFile(file: string, entry: z.output<typeof SignOnEntry>): SignOnConfig {
	const { clientSecretFile, roleClaim, roles, label, domains, ...rest } = entry;
	return {
		...rest,
		clientSecret:
			clientSecretFile === undefined
				? null
				: readSecretFile(namedPath(clientSecretFile, dirname(file))),
		roleClaim: roleClaim === undefined ? null : wayTo(roleClaim),
		roles: Object.entries(roles),
		label: label ?? null,
		domains: domains.map((domain) => domain.toLowerCase())
	};
}

function readSecretFile(path: string): string {
	const secret = readNamed('clientSecretFile', path).replace(/\r?\n$/, '');
	if (secret === '') {
		throw new AppError('config.invalid', { problems: [CONFIG_NOTES.signOnSecretEmpty(path)] });
	}
	return secret;
}

type SignOnSettings = Readonly<
	Partial<
		Record<
			`KOMODECK_SIGN_ON_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'SCOPES' | 'ROLE_CLAIM' | 'ROLES' | 'ACCOUNTS' | 'LABEL' | 'DOMAINS'}`,
			string
		>
	>
>;

/**
 * Builds the settings from environment variables that were validated one by one.
 * @param problems receives a sentence for each inconsistency
 * @returns null when the environment configures no single sign-on
 */
export function signOnOfEnvironment(
	values: SignOnSettings,
	problems: string[]
): SignOnConfig | null {
	const { KOMODECK_SIGN_ON_ISSUER: issuer, KOMODECK_SIGN_ON_CLIENT_ID: clientId } = values;
	if (issuer === undefined && clientId === undefined) return null;
	if (issuer === undefined || clientId === undefined) {
		problems.push(CONFIG_NOTES.signOnIncomplete);
		return null;
	}
	const { KOMODECK_SIGN_ON_ROLE_CLAIM: roleClaim, KOMODECK_SIGN_ON_ROLES: roles } = values;
	if ((roleClaim === undefined) !== (roles === undefined)) {
		problems.push(CONFIG_NOTES.signOnRolesIncomplete);
	}
	return {
		issuer,
		clientId,
		clientSecret: values.KOMODECK_SIGN_ON_CLIENT_SECRET ?? null,
		scopes: values.KOMODECK_SIGN_ON_SCOPES ?? USUAL_SCOPES,
		roleClaim: roleClaim === undefined ? null : wayTo(roleClaim),
		roles: roles === undefined ? [] : (roleMap(roles) ?? []),
		accounts: values.KOMODECK_SIGN_ON_ACCOUNTS === 'first-login' ? 'first-login' : 'invitation',
		label: values.KOMODECK_SIGN_ON_LABEL?.trim() ?? null,
		domains: (values.KOMODECK_SIGN_ON_DOMAINS ?? '')
			.split(',')
			.map((domain) => domain.trim().toLowerCase())
			.filter(Boolean)
	};
}

/**
 * Returns the origin that browsers are redirected back to: the configured one, or localhost when the server
 * listens on loopback only. The Host header of a request never decides it.
 * @returns null when neither applies
 */
export function signOnOrigin(config: {
	origin: string | null;
	host: string;
	port: number;
}): string | null {
	if (config.origin !== null) return config.origin;
	const host = config.host === '::1' ? '[::1]' : config.host;
	return LOOPBACK.test(host) ? `http://localhost:${config.port}` : null;
}
