import { withStatus, type ErrorArea } from './define.ts';

/** The settings file of a trading node (MM2.json) cannot be used. Messages name the file, never its content. */
export const mm2 = {
	...withStatus(502, {
		'mm2.not-json': ({ file }: { file: string }) => `${file} is not JSON.`,
		'mm2.unreadable': ({ file }: { file: string }) => `${file} cannot be read by this user.`,
		'mm2.no-settings': ({ file }: { file: string }) => `${file} holds no settings.`,
		'mm2.member-unusable': ({ file, member }: { file: string; member: string }) =>
			`${file} has an unusable ${member}.`,
		'mm2.port-zero': ({ file }: { file: string }) =>
			`${file} has the rpcport 0: any free one, which is not known here.`,
		'mm2.port-invalid': ({ file }: { file: string }) =>
			`${file} has an rpcport that is not a port.`,
		'mm2.address-invalid': ({ file }: { file: string }) =>
			`${file} has an rpcip that is not an address.`,
		'mm2.no-password': ({ file }: { file: string }) =>
			`${file} has no rpc_password: the node would accept calls from anyone.`
	})
} satisfies ErrorArea<'mm2'>;
