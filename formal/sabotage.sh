#!/bin/sh
# Alters one constant of an example so that its claim or its proof is wrong, and checks
# that coqc refuses it - for the reason of the check, not for its grammar.
# Run after make; the altered copies go to a temporary folder.
cd "$(dirname "$0")" || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0
count=0

# refuse FILE SED-EXPRESSION WHAT
refuse() {
    count=$((count + 1))
    copy="$folder/altered$count.v"
    sed "$2" "$1" > "$copy"
    if cmp -s "$1" "$copy"; then
        echo "NOT ALTERED  $1: $3"
        bad=1
    elif coqc -Q . DepthSep "$copy" > "$folder/log" 2>&1; then
        echo "ACCEPTED     $1: $3"
        bad=1
    elif grep -q 'Syntax\|not found\|Cannot find a physical' "$folder/log"; then
        echo "OTHER ERROR  $1: $3"
        bad=1
    else
        echo "refused      $1: $3"
        grep -A 1 '^Error' "$folder/log" | tr '\n' ' ' | cut -c 1-70 |
            sed 's/^/             /'
    fi
}

refuse ExampleSquare.v 's/m <= 17/m <= 18/; s/2%nat 17%nat/2%nat 18%nat/' \
    'width 18, which is enough'
refuse ExampleSquare.v 's/1000000/800000/' 'accuracy 1/800000, which width 17 meets'
refuse ExampleSquare.v 's/too_narrow 3 6/too_narrow 3 7/; s/3%nat 6%nat/3%nat 7%nat/' \
    'three layers of width 7, which are enough'
refuse ExampleSquare.v 's/353%nat 2%nat/354%nat 2%nat/' '354 witnesses, too flat'
refuse ExampleSawtooth.v 's/m <= 21/m <= 22/; s/10 2 21/10 2 22/' 'width 22'
refuse ExampleSawtooth.v 's|49 / 100|1 / 2|; s/49 100/1 2/' 'accuracy 1/2: a constant'
refuse ExampleSawtooth.v 's/759250123/759250124/g' 'one unit more for 2^60 pieces'
refuse ExampleFormula.v 's/m <= 9/m <= 10/; s/1 9 witnesses/1 10 witnesses/' 'width 10'
refuse ExampleFormula.v 's|> 1 / 1000|> 1 / 900|' 'accuracy 1/900'
refuse ExampleFormula.v 's/^  \[(0,\([0-9]*\),/  [(0,1,/' 'a bad witness'
refuse ExampleUpper.v 's/1 # 128) 0/1 # 129) 0/; s|<= 1 / 128|<= 1 / 129|' \
    'error 1/129, less than it is'
refuse ExampleUpper.v 's/3 # 4\], -1/2 # 3], -1/' 'another weight'
refuse ExampleUpper.v 's/1 # 4; 1 # 2; 3 # 4\]%Q)/1 # 4; 3 # 4]%Q)/' 'a kink left out'
refuse ExampleUpper.v 's/1000000/1100000/' 'accuracy 1/1100000'
refuse templates/square.v 's/(10,11,12)/(10,11,13)/' 'witnesses that overlap'
refuse templates/square.v 's/m <= 17/m <= 18/; s/2 17 witnesses/2 18 witnesses/' \
    'width 18'
refuse templates/sawtooth.v 's/(10,11,12)/(9,11,12)/' 'witnesses that overlap'
refuse templates/sawtooth.v 's/(10,11,12)/(10,11,11)/' 'a witness out of order'
refuse templates/sawtooth.v 's/sawtooth 10 x/sawtooth 9 x/; s/100 10 2/100 9 2/' \
    'the sawtooth with 2^9 pieces'
refuse templates/formula.v 's/m <= 6/m <= 7/; s/2 6 witnesses/2 7 witnesses/' 'width 7'
refuse templates/upper_square.v 's/11 # 12; 1 # 12; 1 # 36/11 # 12; 1 # 12; 1 # 35/' \
    'another weight'
refuse templates/upper_square.v 's/1152/1153/g' 'error 1/1153'
refuse templates/upper_formula.v 's|<= 1 / 1000|<= 1 / 2000|' 'error 1/2000'

if [ "$bad" -eq 0 ]; then echo "all $count refused"; fi
exit "$bad"
