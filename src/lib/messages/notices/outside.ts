/** Texts of notices outside of the pages: in emails, push notifications and webhooks. */
import { plural } from '#lib/text/plural.ts';
import { PRODUCT } from '../product.ts';

export const WEBHOOK_TEST = `This is a test of a webhook of ${PRODUCT.name}.`;

export const MAIL = {
	digest: (n: number): string => `${PRODUCT.name}: ${plural(n, 'notice')}`,
	subject: (text: string): string => `${PRODUCT.name}: ${text}`,
	open: 'Open',
	all: 'All notices',
	/** @param name name of the account */
	why: (name: string): string =>
		`You get this email because of your choices under Notification settings of the account ${name}.`,
	verify: {
		subject: `${PRODUCT.name}: confirm your email address`,
		text: (name: string): string =>
			`The account ${name} wants its notices at this address. Confirm it within a day. If that was not you, ignore this email: nothing else is sent here.`,
		button: 'Confirm email address'
	}
} as const;

export const PUSH = {
	/** Replaces the sentence unless the member chose to receive it. */
	discreet: `Open ${PRODUCT.name} to read it.`
} as const;
