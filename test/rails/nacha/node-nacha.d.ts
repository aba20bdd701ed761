declare module "@midlandsbank/node-nacha" {
  export const from: (text: string) => { readonly data: unknown }
}
