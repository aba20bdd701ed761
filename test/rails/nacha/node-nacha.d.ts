declare module "@midlandsbank/node-nacha" {
  const nacha: { readonly from: (text: string) => { readonly data: unknown } }
  export = nacha
}
